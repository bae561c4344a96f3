package dev.exactlyonce.testkit;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A store that leaves everything to another. */
public class DelegatingStore implements IdempotencyStore {
    private final IdempotencyStore store;

    public DelegatingStore(IdempotencyStore store) {
        this.store = store;
    }

    @Override
    public Reservation reserve(Claim claim) {
        return store.reserve(claim);
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        return store.find(key);
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        return store.record(claim, answer, ttl);
    }

    @Override
    public boolean release(Claim claim) {
        return store.release(claim);
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return store.renewAll(claims);
    }

    @Override
    public void probe() {
        store.probe();
    }

    @Override
    public void close() {
        store.close();
    }
}
