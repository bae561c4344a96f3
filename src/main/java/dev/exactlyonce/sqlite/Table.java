package dev.exactlyonce.sqlite;

import java.sql.SQLException;

/** What a {@link GroupCommit} writes to: a package's statements over one open file. Used by one thread at a time. */
public interface Table {
    /** The file it is in; closed with it. */
    SqliteFile file();

    /** Deletes at most this many rows that have expired; returns how many there were. */
    default int purge(int most) throws SQLException {
        return 0;
    }
}
