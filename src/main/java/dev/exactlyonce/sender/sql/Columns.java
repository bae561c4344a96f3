package dev.exactlyonce.sender.sql;

import dev.exactlyonce.sender.Attempt;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Converts values to and from their columns. */
final class Columns {
    private Columns() {}

    static String headers(Map<String, String> headers) {
        StringBuilder text = new StringBuilder();
        headers.forEach((name, value) -> text.append(EscapedTsv.of(name, value)));
        return text.toString();
    }

    static Map<String, String> headers(String text) {
        Map<String, String> headers = new HashMap<>();
        EscapedTsv.read(text).forEach(line -> headers.put(line.get(0), line.get(1)));
        return headers;
    }

    static String history(Attempt attempt) {
        return EscapedTsv.of(Integer.toString(attempt.number()), attempt.at().toString(), attempt.outcome());
    }

    static String history(List<Attempt> attempts) {
        return attempts.stream().map(Columns::history).collect(Collectors.joining());
    }

    static List<Attempt> history(String text) {
        return EscapedTsv.read(text).stream()
                .map(line -> new Attempt(Integer.parseInt(line.get(0)), Instant.parse(line.get(1)), line.get(2)))
                .toList();
    }

    /** Empty for NULL. */
    static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }
}
