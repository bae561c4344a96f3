package dev.exactlyonce.store.jdbc;

import dev.exactlyonce.spi.StoreUnavailableException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Reads what a failure means from its SQLState, never from its text, which differs by locale and may contain a row. */
final class SqlFailures {
    private static final Set<String> LOST_CONNECTIONS = Set.of("57P01", "57P02", "57P03");
    private static final Set<String> LOCK_TIMEOUTS = Set.of("55P03");

    private SqlFailures() {}

    /** Whether the transaction was chosen as the victim of a deadlock or of a conflict: the same again may succeed. */
    static boolean isConflict(SQLException failure) {
        return state(failure).startsWith("40");
    }

    /** Whether the connection was dead, perhaps for long: another one may be alive. */
    static boolean isLostConnection(SQLException failure) {
        String state = state(failure);
        return state.startsWith("08") || LOST_CONNECTIONS.contains(state);
    }

    /** Whether another transaction held the row for longer than this one waits. */
    static boolean isLockTimeout(SQLException failure) {
        return LOCK_TIMEOUTS.contains(state(failure));
    }

    private static String state(SQLException failure) {
        return Optional.ofNullable(failure.getSQLState()).orElse("");
    }

    /** Without the cause, whose text may contain an address or a row. */
    static StoreUnavailableException unavailable(SQLException failure) {
        return new StoreUnavailableException("the database failed, SQLState " + failure.getSQLState());
    }
}
