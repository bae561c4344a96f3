package dev.exactlyonce.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An open file. Its transactions are begun IMMEDIATE, so that what one reads is what it writes on, also when another
 * process has the file. Not thread-safe: the writer thread's own.
 */
public final class SqliteFile implements AutoCloseable {
    private final Path path;
    private final Path log;
    private final int version;
    private final @Nullable Object file;
    private @Nullable Object logFile;
    private final Connection connection;
    private final PreparedStatement begin;
    private final PreparedStatement commit;

    private SqliteFile(SqliteSettings settings, Schema schema, Connection connection) throws SQLException {
        this.path = settings.path();
        this.log = path.resolveSibling(path.getFileName() + "-wal");
        this.version = schema.version();
        this.connection = connection;
        this.file = identity(path);
        this.begin = connection.prepareStatement("BEGIN IMMEDIATE");
        this.commit = connection.prepareStatement("COMMIT");
    }

    /** Opens or makes it, in WAL and {@code synchronous=FULL}, with the tables of this version. */
    public static SqliteFile open(SqliteSettings settings, Schema schema) throws SQLException {
        Connection connection = Opening.connect(settings, schema);
        try {
            return new SqliteFile(settings, schema, connection);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    public PreparedStatement prepare(String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    public void begin() throws SQLException {
        begin.execute();
    }

    public void commit() throws SQLException {
        commit.execute();
        if (logFile == null) {
            logFile = identity(log); // there from the first commit on, as long as a connection is open
        }
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

    /**
     * Whether the file, or the log beside it that holds the latest commits, was removed or replaced: what is written from
     * then on would be gone at the next start.
     */
    boolean isLost() {
        return !Objects.equals(file, identity(path)) || (logFile != null && !logFile.equals(identity(log)));
    }

    private static @Nullable Object identity(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (IOException gone) {
            return null;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
