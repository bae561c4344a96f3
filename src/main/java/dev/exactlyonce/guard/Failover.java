package dev.exactlyonce.guard;

import dev.exactlyonce.admission.LocalEntry;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Sends each operation to the configured store that it wraps or to its fallback: to where the claim is. Thread-safe. */
final class Failover implements ManagedStore {
    private static final System.Logger LOG = System.getLogger(Failover.class.getName());

    private final BufferedStore primary;
    private final Fallback fallback;
    private final FallbackClaims claims;
    private final RecordBackfill backfill;

    /** @param backfill takes the fallback's records for the configured store */
    Failover(BufferedStore primary, Fallback fallback, RecordBackfill backfill) {
        this.primary = primary;
        this.fallback = fallback;
        this.claims = fallback.claims();
        this.backfill = backfill;
    }

    private BufferedStore storeOf(Claim claim) {
        return claims.has(claim) ? fallback.store() : primary;
    }

    private BufferedStore inUse() {
        return fallback.standsIn() ? fallback.store() : primary;
    }

    @Override
    public Reservation reserve(Claim claim) {
        if (fallback.standsIn()) {
            return reserveInFallback(claim);
        }
        StoreUnavailableException notAsked = null;
        if (fallback.isDraining()) {
            try {
                Optional<Reservation> there = fallback.store().find(claim.key());
                if (there.isPresent()) {
                    return there.get();
                }
            } catch (StoreUnavailableException e) {
                notAsked = e;
            }
        }
        Reservation answer = primary.reserve(claim);
        if (notAsked != null && answer instanceof Reservation.Granted) {
            throw notAsked; // no other owner has the key now, but it may be recorded: the source decides
        }
        return answer;
    }

    private Reservation reserveInFallback(Claim claim) {
        claims.add(claim); // before the call: one that fails may have claimed
        Reservation answer = fallback.store().reserve(claim);
        if (!(answer instanceof Reservation.Granted)) {
            claims.remove(claim);
        }
        return answer;
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        if (fallback.standsIn()) {
            return fallback.store().find(key);
        }
        Optional<Reservation> there = fallback.isDraining() ? leftOver(key) : Optional.empty();
        return there.isPresent() ? there : primary.find(key);
    }

    private Optional<Reservation> leftOver(DeliveryKey key) {
        try {
            return fallback.store().find(key);
        } catch (StoreUnavailableException reported) { // the configured store may know as much
            LOG.log(Level.DEBUG, "the fallback cannot be asked", reported);
            return Optional.empty();
        }
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        if (!claims.has(claim)) {
            return primary.record(claim, answer, ttl);
        }
        Recording recording = fallback.store().record(claim, answer, ttl);
        if (recording instanceof Recording.OwnedByAnother) {
            claims.settled(claim);
        } else {
            claims.recorded(claim, answer, ttl);
        }
        if (!fallback.standsIn()) {
            claims.takeRecorded().forEach(backfill::add); // other replicas ask the configured store by now
        }
        return recording;
    }

    @Override
    public boolean release(Claim claim) {
        boolean isReleased = storeOf(claim).release(claim);
        claims.settled(claim);
        return isReleased;
    }

    @Override
    public void releaseLater(Claim claim) {
        storeOf(claim).releaseLater(claim);
        claims.settled(claim);
    }

    @Override
    public void abandon(Claim claim) {
        claims.settled(claim);
    }

    @Override
    public boolean isShared(Claim claim) {
        return !claims.has(claim);
    }

    @Override
    public List<Renewal> renewAll(List<Claim> renewed) {
        List<Claim> there = new ArrayList<>();
        List<Claim> here = new ArrayList<>();
        renewed.forEach(it -> (claims.has(it) ? there : here).add(it)); // asked once: a claim may be settled meanwhile
        Map<Claim, Renewal> answers = new HashMap<>();
        if (!there.isEmpty()) {
            renew(fallback.store(), there, answers);
        }
        if (!here.isEmpty()) {
            renew(primary, here, answers);
        }
        return Renewal.requireAny(renewed.stream()
                .map(it -> Objects.requireNonNull(answers.get(it)))
                .toList());
    }

    private static void renew(BufferedStore store, List<Claim> renewed, Map<Claim, Renewal> answers) {
        try {
            List<Renewal> said = store.renewAll(renewed);
            for (int i = 0; i < renewed.size(); i++) {
                answers.put(renewed.get(i), said.get(i));
            }
        } catch (StoreUnavailableException away) {
            renewed.forEach(it -> answers.put(it, new Renewal.Unanswered(away)));
        }
    }

    @Override
    public void probe() {
        inUse().probe();
    }

    @Override
    public void start(boolean isThere) {
        if (isThere) {
            fallback.drainLeftOver();
        } else {
            primary.monitored().logAbsence();
            fallback.standIn();
        }
    }

    @Override
    public void flushPending() {
        primary.flushPending();
        fallback.flushPending();
    }

    @Override
    public boolean probeIfAway() {
        primary.probeIfAway();
        fallback.probeIfAway();
        boolean isBack = fallback.check(primary.monitored()::isThere);
        if (isBack) { // other replicas know nothing yet of what the fallback recorded
            claims.takeRecorded().forEach(backfill::add);
        }
        return isBack;
    }

    @Override
    public boolean isAway() {
        return inUse().isAway();
    }

    @Override
    public void writeBack(LocalEntry entry, Duration left) {
        inUse().writeBack(entry, left);
    }

    @Override
    public void backfilled() {
        fallback.clearFact();
    }

    @Override
    public Optional<String> standIn() {
        return fallback.standsIn() ? Optional.of(fallback.name()) : primary.standIn();
    }

    @Override
    public void close() {
        fallback.close();
    }
}
