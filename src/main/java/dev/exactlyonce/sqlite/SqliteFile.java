package dev.exactlyonce.sqlite;

import dev.exactlyonce.common.MachineClocks;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Optional;

/**
 * An open file. Its transactions are begun IMMEDIATE, so that what one reads is what it writes on, also when another
 * process has the file. Not thread-safe: the writer thread's own.
 */
public final class SqliteFile implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SqliteFile.class.getName());

    private final Path path;
    private final int version;
    private final Connection connection;
    private final FileState state;
    private final FileWatch watch;
    private final PreparedStatement begin;
    private final PreparedStatement commit;

    private SqliteFile(Path path, Schema schema, Connection connection, MachineClocks machine) throws SQLException {
        this.path = path;
        this.version = schema.version();
        this.connection = connection;
        this.state = FileState.open(connection, machine);
        this.watch = new FileWatch(path, connection, state.identity());
        this.begin = connection.prepareStatement("BEGIN IMMEDIATE");
        this.commit = connection.prepareStatement("COMMIT");
    }

    /** Opens or makes it, in WAL and {@code synchronous=FULL}, with the tables of this version. */
    public static SqliteFile open(SqliteSettings settings, Schema schema, MachineClocks machine) throws SQLException {
        Connection connection = SqliteConnections.connect(settings, schema);
        try {
            return new SqliteFile(settings.path(), schema, connection, machine);
        } catch (SQLException | RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    /** Differs between any two files. */
    String identity() {
        return state.identity();
    }

    /** The time by which its rows are set and judged; setting the machine's wall clock does not move it. */
    public InstantSource clock() {
        return state.clock();
    }

    public PreparedStatement prepare(String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    public void begin() throws SQLException {
        begin.execute();
    }

    public void commit() throws SQLException {
        commit.execute();
    }

    /** Rewrites the schema version: a write that changes nothing. */
    public void touch() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("PRAGMA user_version = " + version);
        }
    }

    /** The level of {@code PRAGMA synchronous} that this connection writes with; 2 is FULL. */
    public int synchronous() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA synchronous")) {
            return row.getInt(1);
        }
    }

    /** What another program has done to it since the last look, outside a transaction; nothing as a rule. */
    Optional<FileLoss> look() throws SQLException {
        return watch.look();
    }

    /** The same, inside a transaction that failed: ends it. */
    Optional<FileLoss> lookAfterFailure() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ROLLBACK");
        } catch (SQLException ended) { // SQLite rolls back by itself after some failures
            LOG.log(Level.DEBUG, "there is no transaction to roll back", ended);
        }
        return look();
    }

    /** About once a second, inside a transaction: keeps the clock right. */
    void keepTime() throws SQLException {
        state.clock().catchUp();
        state.saveClock();
    }

    /**
     * Closes it after a loss. What is left under its name stays where it is when it is a sound database; a damaged one gets
     * another name, and the next opening makes a new file.
     */
    void abandon(FileLoss loss) {
        Optional<Path> log = loss == FileLoss.REMOVED ? Optional.empty() : watch.keepLogOut();
        try {
            close();
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "closing the SQLite file failed", e);
        }
        DamagedFile.setAside(path, log, watch.orphans());
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
