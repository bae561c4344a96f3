package dev.exactlyonce.example;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.spi.StoredValue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.h2.jdbcx.JdbcDataSource;

/** Keeps the keys in one table of H2, over one connection. Thread-safe, behind one lock. */
final class ExampleStore implements IdempotencyStore {
    private record Row(StoredValue value, long expiresAt) {}

    private interface Operation<T> {
        T run(Connection connection, long now) throws SQLException;
    }

    private final JdbcDataSource database = new JdbcDataSource();
    private final InstantSource clock;
    private Connection connection;

    ExampleStore(String url, InstantSource clock) {
        this.database.setURL(url);
        this.clock = clock;
    }

    @Override
    public Reservation reserve(Claim claim) {
        return run((db, now) -> {
            Optional<Row> there = row(db, claim.key(), now);
            if (there.isPresent()
                    && (there.get().value().isRecorded() || !there.get().value().isOwnedBy(claim))) {
                return refusal(there.get(), now);
            }
            if (there.isEmpty()) {
                put(db, claim, StoredValue.inFlight(claim), now + claim.lease().toMillis());
            }
            return new Reservation.Granted();
        });
    }

    private static Reservation refusal(Row there, long now) {
        StoredValue value = there.value();
        return value.isRecorded()
                ? new Reservation.AlreadyRecorded(value.fingerprint(), value.answer())
                : new Reservation.AlreadyClaimed(value.fingerprint(), Duration.ofMillis(there.expiresAt() - now));
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        return run((db, now) -> row(db, key, now).map(it -> refusal(it, now)));
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        return run((db, now) -> {
            Optional<Row> there = row(db, claim.key(), now);
            if (there.isPresent() && !there.get().value().isOwnedBy(claim)) {
                boolean running = !there.get().value().isRecorded();
                return new Recording.OwnedByAnother(
                        running, Duration.ofMillis(running ? there.get().expiresAt() - now : 0));
            }
            if (there.isEmpty() || !there.get().value().isRecorded()) {
                put(db, claim, StoredValue.recorded(claim, answer), now + ttl.toMillis());
            }
            return new Recording.Written();
        });
    }

    @Override
    public boolean release(Claim claim) {
        return run((db, now) -> {
            boolean held = row(db, claim.key(), now)
                    .filter(it -> !it.value().isRecorded() && it.value().isOwnedBy(claim))
                    .isPresent();
            if (held) {
                try (PreparedStatement delete = db.prepareStatement("DELETE FROM keys WHERE k = ?")) {
                    delete.setString(1, claim.key().value());
                    delete.executeUpdate();
                }
            }
            return held;
        });
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return run((db, now) -> {
            List<Renewal> answers = new ArrayList<>();
            for (Claim claim : claims) {
                Optional<Row> there = row(db, claim.key(), now);
                if (there.isEmpty()
                        || (!there.get().value().isRecorded()
                                && there.get().value().isOwnedBy(claim))) {
                    put(
                            db,
                            claim,
                            StoredValue.inFlight(claim),
                            now + claim.lease().toMillis());
                }
                boolean lost = there.isPresent() && !there.get().value().isOwnedBy(claim);
                answers.add(lost ? Renewal.LOST : Renewal.HELD);
            }
            return answers;
        });
    }

    @Override
    public void probe() {
        run((db, now) -> db.createStatement().executeUpdate("MERGE INTO keys VALUES ('', '', 0)"));
    }

    private static Optional<Row> row(Connection db, DeliveryKey key, long now) throws SQLException {
        try (PreparedStatement select = db.prepareStatement("SELECT v, e FROM keys WHERE k = ? AND e > ?")) {
            select.setString(1, key.value());
            select.setLong(2, now);
            ResultSet row = select.executeQuery();
            return row.next()
                    ? Optional.of(new Row(StoredValue.decode(row.getString(1)), row.getLong(2)))
                    : Optional.empty();
        }
    }

    private static void put(Connection db, Claim claim, StoredValue value, long expiresAt) throws SQLException {
        try (PreparedStatement merge = db.prepareStatement("MERGE INTO keys VALUES (?, ?, ?)")) {
            merge.setString(1, claim.key().value());
            merge.setString(2, value.encode());
            merge.setLong(3, expiresAt);
            merge.executeUpdate();
        }
    }

    private synchronized <T> T run(Operation<T> operation) {
        try {
            if (connection == null || connection.isClosed()) {
                connection = database.getConnection();
                connection
                        .createStatement()
                        .execute("CREATE TABLE IF NOT EXISTS keys (k VARCHAR PRIMARY KEY, v CLOB, e BIGINT)");
                connection.setAutoCommit(false);
            }
            T result = operation.run(connection, clock.millis());
            connection.commit();
            return result;
        } catch (SQLException failure) {
            closeQuietly();
            throw new StoreUnavailableException("H2 failed with " + failure.getSQLState(), failure);
        }
    }

    private void closeQuietly() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException alreadyBroken) {
            // the next operation opens another connection
        }
    }

    @Override
    public synchronized void close() {
        closeQuietly();
    }
}
