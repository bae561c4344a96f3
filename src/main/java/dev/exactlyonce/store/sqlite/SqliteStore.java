package dev.exactlyonce.store.sqlite;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.FallbackStore;
import dev.exactlyonce.spi.InboxStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.spi.StoredValue;
import dev.exactlyonce.sqlite.FileLoss;
import dev.exactlyonce.sqlite.GroupCommit;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the keys in one SQLite file: WAL, {@code synchronous=FULL}. One writer thread commits the operations that wait
 * together, so that many callers share one flush of the disk. What was acknowledged survives a crash and a power cut.
 * Thread-safe; the file may be shared by processes of one machine, never over a network.
 */
public final class SqliteStore implements FallbackStore {
    private final GroupCommit<SqliteTable> writer;

    /** On a machine whose wall clock is never set. */
    public SqliteStore(SqliteSettings settings, InstantSource clock) {
        this(settings, MachineClocks.following(clock), loss -> {});
    }

    /**
     * Opens nothing yet: the first operation does, and after a failure the next one does again.
     *
     * @param onLoss hears that another program has changed the file, so that what was committed may be gone; returns at once
     */
    public SqliteStore(SqliteSettings settings, MachineClocks machine, Consumer<FileLoss> onLoss) {
        this(settings, machine, onLoss, GroupCommit.UPKEEP_EVERY);
    }

    SqliteStore(SqliteSettings settings, MachineClocks machine, Consumer<FileLoss> onLoss, Duration upkeepEvery) {
        this.writer = new GroupCommit<>(
                "exactly-once-sqlite",
                () -> new SqliteTable(settings, machine),
                settings.timeout(),
                SqliteStore::unavailable,
                onLoss,
                upkeepEvery);
    }

    private static RuntimeException unavailable(String message, @Nullable Throwable cause) {
        return cause == null ? new StoreUnavailableException(message) : new StoreUnavailableException(message, cause);
    }

    @Override
    public Reservation reserve(Claim claim) {
        KeyedClaim keyed = KeyedClaim.of(claim);
        return writer.call(table -> table.reserve(keyed));
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        KeyedClaim keyed = KeyedClaim.of(claim);
        String record = StoredValue.recorded(claim, answer).encode();
        return writer.call(table -> table.record(keyed, record, ttl));
    }

    @Override
    public boolean release(Claim claim) {
        KeyedClaim keyed = KeyedClaim.of(claim);
        return writer.call(table -> table.release(keyed));
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        List<KeyedClaim> keyed = claims.stream().map(KeyedClaim::of).toList();
        return writer.call(table -> {
            List<Renewal> answers = new ArrayList<>(keyed.size());
            for (KeyedClaim claim : keyed) {
                answers.add(table.renew(claim));
            }
            return answers;
        });
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        byte[] digest = KeyedClaim.digest(key);
        return writer.call(table -> table.find(digest), FallbackStore.FIND_WITHIN);
    }

    @Override
    public boolean isEmpty() {
        return writer.call(SqliteTable::isEmpty);
    }

    @Override
    public Optional<InboxStore> inbox() {
        return Optional.of(new SqliteInbox(writer));
    }

    @Override
    public void probe() {
        writer.call(table -> {
            table.file().touch();
            return true;
        });
    }

    /** The level of {@code PRAGMA synchronous} that the writer commits with; 2 is FULL. */
    int synchronous() {
        return writer.call(table -> table.file().synchronous());
    }

    @Override
    public void close() {
        writer.close();
    }
}
