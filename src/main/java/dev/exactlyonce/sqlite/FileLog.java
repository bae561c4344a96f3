package dev.exactlyonce.sqlite;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * The write-ahead log beside an open file: what its index says is in it, and what is there. Unlike the file and the index,
 * the log has no locks of SQLite's that closing a second descriptor would end (https://www.sqlite.org/fileformat2.html,
 * section 4). Not thread-safe: the writer thread's own.
 */
final class FileLog {
    private static final int MAGIC = 0x377f0682;
    private static final int HEADER_BYTES = 32;
    private static final int FRAME_HEADER_BYTES = 24;
    private static final int SEQUENCE_AT = 12;

    /** The index and the log are read one after the other, and other processes may write meanwhile. */
    private static final int READINGS = 3;

    /**
     * What the index says, the same for every process.
     *
     * @param sequence how often the log was begun anew; -1 for an empty one
     * @param frames how many pages are in it
     * @param moved how many of them a checkpoint has moved into the file
     */
    record LogState(long sequence, long frames, long moved) {
        /** Whether a checkpoint has written to the file between the two; a log that is begun anew alone writes nothing to it. */
        boolean isMovedSince(LogState earlier) {
            if (sequence == earlier.sequence) {
                return moved != earlier.moved;
            }
            boolean isNext = sequence == earlier.sequence + 1 || sequence < 0 || earlier.sequence < 0;
            return !isNext || moved > 0 || earlier.moved < earlier.frames;
        }
    }

    private final Path path;
    private final int frameBytes;
    private final PreparedStatement state;

    FileLog(Path path, Connection connection) throws SQLException {
        this.path = path;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA page_size")) {
            this.frameBytes = FRAME_HEADER_BYTES + row.getInt(1);
        }
        this.state = connection.prepareStatement("PRAGMA wal_checkpoint(NOOP)"); // moves nothing
    }

    /** Nothing when the log does not hold what the index says. */
    Optional<LogState> read() throws SQLException {
        for (int i = 0; i < READINGS; i++) {
            LogState is = readOnce();
            if (is.frames == 0 || (is.sequence >= 0 && size() >= HEADER_BYTES + is.frames * frameBytes)) {
                return Optional.of(is);
            }
        }
        return Optional.empty();
    }

    private LogState readOnce() throws SQLException {
        try (ResultSet row = state.executeQuery()) {
            long frames = Math.max(0, row.getLong(2)); // -1 before the first transaction
            return new LogState(sequence(), frames, Math.max(0, row.getLong(3)));
        }
    }

    /** -1 where there is no log, or none with a header. */
    private long sequence() {
        try (DataInputStream header = new DataInputStream(Files.newInputStream(path))) {
            boolean isLog = (header.readInt() & ~1) == MAGIC;
            header.skipNBytes(SEQUENCE_AT - Integer.BYTES);
            return isLog ? Integer.toUnsignedLong(header.readInt()) : -1;
        } catch (IOException none) {
            return -1;
        }
    }

    private long size() {
        try {
            return Files.size(path);
        } catch (IOException none) {
            return 0;
        }
    }

    /**
     * Empties it, after a copy was made under another name, so that closing the file does not write it into what another
     * program has put in the file's place.
     */
    void empty(Path copy) throws IOException {
        Files.copy(path, copy);
        try (FileChannel log = FileChannel.open(path, StandardOpenOption.WRITE)) {
            log.truncate(0);
        }
    }
}
