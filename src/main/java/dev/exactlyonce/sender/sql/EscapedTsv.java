package dev.exactlyonce.sender.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Records as text that a person can read in the database: a line each, its fields between tabs. A character that is not printable
 * ASCII, and the backslash, is written as a backslash and four hexadecimal digits.
 */
final class EscapedTsv {
    private static final char ESCAPE = '\\';
    private static final int DIGITS = 4;

    private EscapedTsv() {}

    /** One line with its end, so that lines can be appended to each other. */
    static String of(String... fields) {
        return Arrays.stream(fields).map(EscapedTsv::escape).collect(Collectors.joining("\t", "", "\n"));
    }

    /** @throws IllegalArgumentException for text that is not made of such lines */
    static List<List<String>> read(String text) {
        return text.lines()
                .map(line -> Arrays.stream(line.split("\t", -1))
                        .map(EscapedTsv::unescape)
                        .toList())
                .toList();
    }

    private static String escape(String field) {
        StringBuilder escaped = new StringBuilder(field.length());
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c < ' ' || c > '~' || c == ESCAPE) {
                escaped.append(ESCAPE).append(String.format(Locale.ROOT, "%04x", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static String unescape(String field) {
        int at = field.indexOf(ESCAPE);
        if (at < 0) {
            return field;
        }
        List<String> parts = new ArrayList<>();
        int from = 0;
        while (at >= 0) {
            int end = at + 1 + DIGITS;
            if (end > field.length()) {
                throw new IllegalArgumentException("an escape is cut off");
            }
            parts.add(field.substring(from, at));
            parts.add(Character.toString((char) Integer.parseInt(field, at + 1, end, 16)));
            from = end;
            at = field.indexOf(ESCAPE, from);
        }
        return String.join("", parts) + field.substring(from);
    }
}
