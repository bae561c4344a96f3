package dev.exactlyonce.sqlite;

import dev.exactlyonce.common.MachineClocks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;

/**
 * What every file keeps of itself: an identity, by which it is recognised, and its clock. Not thread-safe: the writer
 * thread's own.
 */
final class FileState {
    private static final String CREATE = """
            CREATE TABLE IF NOT EXISTS exactly_once_file (
              id INTEGER PRIMARY KEY CHECK (id = 1), identity TEXT NOT NULL
            )""";

    private static final String CREATE_CLOCK = """
            CREATE TABLE IF NOT EXISTS exactly_once_clock (
              id INTEGER PRIMARY KEY CHECK (id = 1), boot TEXT NOT NULL, since_boot_ms INTEGER NOT NULL,
              file_ms INTEGER NOT NULL, wall_ms INTEGER NOT NULL
            )""";

    private static final String SELECT_IDENTITY = "SELECT identity FROM exactly_once_file";
    private static final String SELECT_CLOCK = "SELECT boot, since_boot_ms, file_ms, wall_ms FROM exactly_once_clock";
    private static final String SAVE_CLOCK =
            "INSERT OR REPLACE INTO exactly_once_clock (id, boot, since_boot_ms, file_ms, wall_ms) VALUES (1, ?, ?, ?, ?)";

    private final Connection connection;
    private final String identity;
    private final FileClock clock;
    private FileClock.Saved saved;

    private FileState(Connection connection, String identity, FileClock clock, FileClock.Saved saved) {
        this.connection = connection;
        this.identity = identity;
        this.clock = clock;
        this.saved = saved;
    }

    /** Reads it, or makes it in a file that has none. */
    static FileState open(Connection connection, MachineClocks machine) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(CREATE);
            statement.executeUpdate(CREATE_CLOCK);
            statement.execute("BEGIN IMMEDIATE"); // of several processes that make the file, one decides
            try {
                FileState state = readOrMake(connection, machine);
                statement.execute("COMMIT");
                return state;
            } catch (SQLException | RuntimeException | Error failed) {
                statement.execute("ROLLBACK");
                throw failed;
            }
        }
    }

    private static FileState readOrMake(Connection connection, MachineClocks machine) throws SQLException {
        Optional<String> identity = identity(connection);
        Optional<FileClock.Saved> saved = savedClock(connection);
        FileClock clock = FileClock.continuing(saved, machine);
        FileState state = new FileState(
                connection, identity.orElseGet(() -> UUID.randomUUID().toString()), clock, saved.orElseGet(clock::now));
        if (identity.isEmpty()) {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO exactly_once_file (id, identity) VALUES (1, ?)")) {
                insert.setString(1, state.identity);
                insert.executeUpdate();
            }
        }
        if (saved.isEmpty()) {
            state.save(state.saved);
        } else {
            state.saveClock();
        }
        return state;
    }

    /** Nothing in a file that another program made. */
    static Optional<String> identity(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SELECT_IDENTITY)) {
            return row.next() ? Optional.of(sound(row.getString(1))) : Optional.empty();
        }
    }

    private static Optional<FileClock.Saved> savedClock(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SELECT_CLOCK)) {
            return row.next()
                    ? Optional.of(new FileClock.Saved(
                            sound(row.getString(1)), row.getLong(2), row.getLong(3), row.getLong(4)))
                    : Optional.empty();
        }
    }

    /** A column that cannot be null is, where the page is not what the schema says. */
    private static String sound(@Nullable String column) throws SQLException {
        if (column == null) {
            throw new SQLException("a page of the file is not its own", null, SQLiteErrorCode.SQLITE_CORRUPT.code);
        }
        return column;
    }

    String identity() {
        return identity;
    }

    FileClock clock() {
        return clock;
    }

    /** Inside a transaction: writes the clock where what the file keeps would continue it wrongly. */
    void saveClock() throws SQLException {
        FileClock.Saved now = clock.now();
        if (clock.isOutdated(saved, now)) {
            save(now);
        }
    }

    private void save(FileClock.Saved now) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SAVE_CLOCK)) {
            statement.setString(1, now.boot());
            statement.setLong(2, now.sinceBootMillis());
            statement.setLong(3, now.fileMillis());
            statement.setLong(4, now.wallMillis());
            statement.executeUpdate();
        }
        saved = now;
    }
}
