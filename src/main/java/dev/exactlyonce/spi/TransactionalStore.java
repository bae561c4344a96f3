package dev.exactlyonce.spi;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A store of rows in a database with transactions. It decides every operation; what extends it runs a transaction and reads
 * and writes a row in it.
 *
 * <pre>{@code
 * final class ExampleStore extends TransactionalStore {
 *     protected <T> T inTransaction(Transaction<T> transaction) throws SQLException {
 *         try (Connection connection = database.getConnection()) {
 *             T result = transaction.run(new ExampleRows(connection));
 *             connection.commit();
 *             return result;
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>Thread-safe when {@link #inTransaction} is. The clock decides when a lease or a record ends: replicas that share the
 * database need clocks that agree.
 *
 * @since 0.1.0
 */
public abstract class TransactionalStore implements IdempotencyStore {
    private final InstantSource clock;

    protected TransactionalStore(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * What the database keeps under a key.
     *
     * @param value opaque, printable ASCII, up to some megabytes
     * @param expiresAt milliseconds since 1970; the row may be purged from then on
     */
    public record Row(String value, long expiresAt) {}

    /** The rows as one transaction reads and writes them. */
    public interface Rows {
        /** The row, ended or not; no other transaction changes it before this one has ended. */
        Optional<Row> find(String key) throws Exception;

        /** Inserts the row, or replaces it. */
        void put(String key, Row row) throws Exception;

        void delete(String key) throws Exception;
    }

    /** What runs in one transaction. */
    @FunctionalInterface
    public interface Transaction<T> {
        T run(Rows rows) throws Exception;
    }

    /**
     * Runs a transaction and commits it, durably; within a bounded time. Transactions of one key run one after the other.
     *
     * @throws Exception when it was not committed, or may not have been: the store is unavailable
     */
    protected abstract <T> T inTransaction(Transaction<T> transaction) throws Exception;

    private <T> T run(Transaction<T> transaction) {
        try {
            return inTransaction(transaction);
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new StoreUnavailableException(
                    "the database failed: " + failure.getClass().getName(), failure);
        }
    }

    /** A row that has not ended. */
    private record Live(StoredValue value, Duration left, long fence) {
        static Optional<Live> find(Rows rows, DeliveryKey key, long now) throws Exception {
            return of(rows.find(key.value()), now);
        }

        static Optional<Live> of(Optional<Row> row, long now) {
            return row.filter(it -> it.expiresAt() > now)
                    .map(it -> new Live(
                            StoredValue.decode(it.value().substring(it.value().indexOf(' ') + 1)),
                            Duration.ofMillis(it.expiresAt() - now),
                            fenceOf(it)));
        }

        boolean isHeldBy(Claim claim) {
            return !value.isRecorded() && value.isOwnedBy(claim);
        }

        Reservation refusal() {
            return value.isRecorded()
                    ? new Reservation.AlreadyRecorded(value.fingerprint(), value.answer())
                    : new Reservation.AlreadyClaimed(value.fingerprint(), left);
        }
    }

    private static void put(Rows rows, Claim claim, StoredValue value, long until, long fence) throws Exception {
        rows.put(claim.key().value(), new Row(fence + " " + value.encode(), until));
    }

    /** The fencing token before the value; 0 where there is none. */
    private static long fenceOf(Row row) {
        int end = row.value().indexOf(' ');
        return end < 0 ? 0 : Long.parseLong(row.value(), 0, end, 10);
    }

    /** Larger than the row's, and than that of any row that was purged: those were made of the clock, too. */
    private long nextFence(Optional<Row> last) {
        Instant now = clock.instant();
        long micros = Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000L), now.getNano() / 1_000);
        return Math.max(micros, last.map(TransactionalStore::fenceOf).orElse(0L) + 1);
    }

    @Override
    public Reservation reserve(Claim claim) {
        return run(rows -> {
            long now = clock.millis();
            Optional<Row> row = rows.find(claim.key().value());
            Optional<Live> found = Live.of(row, now);
            if (found.isEmpty()) {
                long fence = nextFence(row);
                put(
                        rows,
                        claim,
                        StoredValue.inFlight(claim),
                        now + claim.lease().toMillis(),
                        fence);
                return new Reservation.Granted(fence);
            }
            return found.filter(it -> !it.isHeldBy(claim))
                    .map(Live::refusal)
                    .orElseGet(() -> new Reservation.Granted(found.get().fence()));
        });
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        return run(rows -> Live.find(rows, key, clock.millis()).map(Live::refusal));
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        return run(rows -> {
            long now = clock.millis();
            Optional<Row> row = rows.find(claim.key().value());
            Optional<Live> found = Live.of(row, now);
            Optional<Live> other = found.filter(it -> !it.value().isOwnedBy(claim));
            if (other.isPresent()) {
                boolean isRunning = !other.get().value().isRecorded();
                return new Recording.OwnedByAnother(
                        isRunning, isRunning ? other.get().left() : Duration.ZERO);
            }
            if (found.filter(it -> it.value().isRecorded()).isEmpty()) {
                long fence = row.map(TransactionalStore::fenceOf).orElse(0L);
                put(rows, claim, StoredValue.recorded(claim, answer), now + ttl.toMillis(), fence);
            }
            return new Recording.Written();
        });
    }

    @Override
    public boolean release(Claim claim) {
        return run(rows -> {
            long now = clock.millis();
            Optional<Live> held = Live.find(rows, claim.key(), now).filter(it -> it.isHeldBy(claim));
            if (held.isPresent()) { // a row that has ended: the next claim's fencing token must be larger
                put(rows, claim, StoredValue.inFlight(claim), now, held.get().fence());
            }
            return held.isPresent();
        });
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return run(rows -> {
            List<Renewal> renewals = new ArrayList<>();
            for (Claim claim : claims) {
                long now = clock.millis();
                Optional<Row> row = rows.find(claim.key().value());
                Optional<Live> found = Live.of(row, now);
                if (found.isEmpty() || found.get().isHeldBy(claim)) {
                    long fence = row.map(TransactionalStore::fenceOf).orElse(0L);
                    put(
                            rows,
                            claim,
                            StoredValue.inFlight(claim),
                            now + claim.lease().toMillis(),
                            fence);
                }
                boolean isLost =
                        found.filter(it -> !it.value().isOwnedBy(claim)).isPresent();
                renewals.add(isLost ? Renewal.LOST : Renewal.HELD);
            }
            return renewals;
        });
    }

    /** Writes a row that has ended, under a key that no delivery has. */
    @Override
    public void probe() {
        run(rows -> {
            rows.put("", new Row("", 0));
            return true;
        });
    }
}
