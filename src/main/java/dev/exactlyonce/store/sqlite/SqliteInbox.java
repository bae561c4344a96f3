package dev.exactlyonce.store.sqlite;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.InboxRow;
import dev.exactlyonce.spi.InboxStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoredDelivery;
import dev.exactlyonce.spi.StoredValue;
import dev.exactlyonce.sqlite.GroupCommit;
import java.time.Duration;
import java.util.List;

/** The inbox in the store's file: its operations share the store's writer, and so its commits. Thread-safe. */
final class SqliteInbox implements InboxStore {
    /** What the delivery was answered when it was stored. */
    private static final RecordedAnswer ACCEPTED = RecordedAnswer.of(202);

    private final GroupCommit<SqliteTable> writer;

    SqliteInbox(GroupCommit<SqliteTable> writer) {
        this.writer = writer;
    }

    @Override
    public Reservation store(Claim claim, StoredDelivery delivery, List<String> handlers, Duration ttl) {
        KeyedClaim keyed = KeyedClaim.of(claim);
        String record = StoredValue.recorded(claim, ACCEPTED).encode();
        return writer.call(table -> table.store(keyed, record, ttl, delivery, handlers));
    }

    @Override
    public List<InboxRow> claim(String source, String owner, Duration lease, int most) {
        return writer.call(table -> table.claimRows(source, owner, lease, most));
    }

    @Override
    public boolean renew(InboxRow row, Duration lease) {
        return writer.call(table -> table.inbox().renew(row, table.in(lease)));
    }

    @Override
    public boolean done(InboxRow row) {
        return writer.call(table -> table.inbox().done(row));
    }

    @Override
    public boolean retry(InboxRow row, Duration delay) {
        return writer.call(table -> table.inbox().retry(row, table.in(delay)));
    }

    @Override
    public boolean park(InboxRow row) {
        return writer.call(table -> table.inbox().park(row));
    }

    @Override
    public List<InboxRow> parked(int most) {
        return writer.call(table -> table.inbox().parked(most));
    }

    @Override
    public boolean runAgain(long id) {
        return writer.call(table -> table.inbox().runAgain(id, table.in(Duration.ZERO)));
    }

    @Override
    public boolean drop(long id) {
        return writer.call(table -> table.inbox().drop(id));
    }
}
