package dev.exactlyonce.sender.sql;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sql.Dialect;
import dev.exactlyonce.sql.Session;
import dev.exactlyonce.sql.TransactionRunner;
import dev.exactlyonce.sqlite.GroupCommit;
import dev.exactlyonce.sqlite.Schema;
import dev.exactlyonce.sqlite.SqliteFile;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.sqlite.Table;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Over one file: callers share commits. No transaction of a caller can be joined. */
final class SqliteTransactionRunner implements TransactionRunner {
    private static final int SCHEMA_VERSION = 1;

    private record Tables(SqliteFile file, Session session) implements Table {
        static Tables open(SqliteSettings settings, MachineClocks machine) throws SQLException {
            SqliteFile file = SqliteFile.open(
                    settings,
                    new Schema(
                            SCHEMA_VERSION,
                            SqlOutbox.schema("outbox-sqlite.sql").statements()),
                    machine);
            return new Tables(file, new Session(file::prepare, Dialect.sqlite(file.clock())));
        }
    }

    private final GroupCommit<Tables> writer;

    SqliteTransactionRunner(SqliteSettings settings, MachineClocks machine) {
        this.writer = new GroupCommit<>(
                "exactly-once-outbox",
                () -> Tables.open(settings, machine),
                settings.timeout(),
                SqliteTransactionRunner::unavailable);
    }

    @Override
    public <R> R own(TransactionalWork<R> work) {
        return writer.call(tables -> work.on(tables.session()));
    }

    @Override
    public <R> R joined(TransactionalWork<R> work) {
        return own(work);
    }

    private static RuntimeException unavailable(String message, @Nullable Throwable cause) {
        return cause == null ? new OutboxUnavailableException(message) : new OutboxUnavailableException(message, cause);
    }

    @Override
    public void close() {
        writer.close();
    }
}
