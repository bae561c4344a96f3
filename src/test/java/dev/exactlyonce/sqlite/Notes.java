package dev.exactlyonce.sqlite;

import dev.exactlyonce.common.MachineClocks;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** A table of texts, each of which is there once. */
final class Notes implements Table {
    private static final Schema SCHEMA = new Schema(
            1, List.of("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)"));

    private final SqliteFile file;

    Notes(SqliteSettings settings) throws SQLException {
        this.file = SqliteFile.open(settings, SCHEMA, MachineClocks.system());
    }

    @Override
    public SqliteFile file() {
        return file;
    }

    /** False when it was there. */
    boolean add(String text) throws SQLException {
        return update("INSERT INTO notes (text) VALUES (?) ON CONFLICT DO NOTHING", text);
    }

    /** False when it was not there. */
    boolean remove(String text) throws SQLException {
        return update("DELETE FROM notes WHERE text = ?", text);
    }

    private boolean update(String sql, String text) throws SQLException {
        try (PreparedStatement statement = file.prepare(sql)) {
            statement.setString(1, text);
            return statement.executeUpdate() == 1;
        }
    }
}
