package dev.exactlyonce.admission;

import dev.exactlyonce.admission.AdmissionEngine.Limits;
import dev.exactlyonce.admission.SourcePolicy.Duplicates;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.event.DeliveryEvent;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.guard.OutageTexts;
import dev.exactlyonce.guard.StoreGuard;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One replica of an application: an engine behind its own guard, on a store that others may share. */
final class Replica {
    static final Duration LEASE = Duration.ofMinutes(1);
    static final Duration MAX_HOLD = Duration.ofHours(1);
    static final Duration TTL = Duration.ofHours(1);

    final List<DeliveryEvent> events = new CopyOnWriteArrayList<>();
    final DegradedFacts facts;
    final StoreGuard guard;
    final AdmissionEngine engine;
    private SourcePolicy policy = policy(FingerprintBy.NONE, RecordOn.SUCCESS, OnOutage.ADMIT);

    Replica(IdempotencyStore store, SettableClock time) {
        this(store, time, 100);
    }

    Replica(IdempotencyStore store, SettableClock time, int remember) {
        facts = new DegradedFacts(time, event -> {});
        guard = new StoreGuard(store, new OutageTexts("store away", "look at it", "nothing"), facts, time);
        engine = new AdmissionEngine(guard, new Limits(remember, MAX_HOLD), events::add, time, Runnable::run);
    }

    Replica with(FingerprintBy fingerprint) {
        policy = policy(fingerprint, policy.recordOn(), policy.onOutage(), policy.duplicates());
        return this;
    }

    Replica with(RecordOn recordOn) {
        policy = policy(policy.fingerprint(), recordOn, policy.onOutage(), policy.duplicates());
        return this;
    }

    Replica with(OnOutage onOutage) {
        policy = policy(policy.fingerprint(), policy.recordOn(), onOutage, policy.duplicates());
        return this;
    }

    Replica with(Duplicates duplicates) {
        policy = policy(policy.fingerprint(), policy.recordOn(), policy.onOutage(), duplicates);
        return this;
    }

    static SourcePolicy policy(FingerprintBy fingerprint, RecordOn recordOn, OnOutage onOutage) {
        return policy(fingerprint, recordOn, onOutage, Duplicates.ACK);
    }

    static SourcePolicy policy(FingerprintBy fingerprint, RecordOn recordOn, OnOutage onOutage, Duplicates duplicates) {
        return new SourcePolicy(
                "github",
                (request, body) -> new KeyResolver.Resolution.KeyParts(request.header("id")),
                DeliveryVerifier.NONE,
                LEASE,
                TTL,
                1024,
                fingerprint,
                recordOn,
                onOutage,
                duplicates);
    }

    static DeliveryKey key(String id) {
        return DeliveryKey.of("github", "POST/app/hooks", List.of(id));
    }

    PreparedDelivery delivery(String id, String body) throws Exception {
        return ((Preparation.Ready)
                        engine.prepare(new SentRequest().withHeader("id", id).withBody(body), policy))
                .delivery();
    }

    Admission<Object> deliver(String id, Work work) throws Exception {
        return deliver(id, "{}", work);
    }

    Admission<Object> deliver(String id, String body, Work work) throws Exception {
        return engine.admit(delivery(id, body), work);
    }
}
