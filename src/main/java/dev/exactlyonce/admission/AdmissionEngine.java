package dev.exactlyonce.admission;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.event.DeliveryAnswered;
import dev.exactlyonce.event.DeliveryRefused;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The whole story of a delivery.
 *
 * <p>{@link #prepare} reads, verifies and keys it, without touching the store. {@link #admit} then asks this replica's
 * registry and the store for the key, runs the handler when both grant it, and records or releases by how it ended.
 * Thread-safe.
 */
public final class AdmissionEngine {
    private static final System.Logger LOG = System.getLogger(AdmissionEngine.class.getName());

    private final LocalClaims registry;
    private final Leases leases;
    private final ClaimAcquirer gate;
    private final OutcomeRecorder settlement;
    private final AdmissionListener listener;
    private final ActiveHandlers running = new ActiveHandlers();

    /**
     * @param ticker nanoseconds of a clock that only moves forward, as {@link System#nanoTime}
     * @param callbackExecutor runs what handlers want to be run when their lease is lost
     */
    public AdmissionEngine(
            GuardedStore store,
            Limits limits,
            AdmissionListener listener,
            LongSupplier ticker,
            Executor callbackExecutor) {
        this.registry = new LocalClaims(limits.remember(), limits.maxHold(), ticker);
        this.listener = new SafeListener(listener);
        this.leases = new Leases(
                store,
                registry,
                this.listener,
                new Lease.Terms(limits.maxHold(), ticker, action -> callbackExecutor.execute(safe(action))));
        this.gate = new ClaimAcquirer(store, registry, leases, this.listener, ticker);
        this.settlement = new OutcomeRecorder(store, registry, leases, this.listener);
    }

    /**
     * @param remember how many records this replica answers for without the store, at least 0
     * @param maxHold how long the claim of a running handler is renewed at most; its key is free when the lease has ended
     *     after it, on this replica, too
     */
    public record Limits(int remember, Duration maxHold) {
        public Limits {
            if (maxHold.isZero() || maxHold.isNegative()) {
                throw new IllegalArgumentException("max-hold must be > 0, was " + maxHold);
            }
        }
    }

    /**
     * The signature's headers, body, signature, key: in this order, and each only when the one before it is right. Nobody's
     * bytes are kept in memory for a request that claims no signature.
     */
    public Preparation prepare(DeliveryRequest request, SourcePolicy source) throws IOException {
        if (request.announcedLength() > source.maxBodySize()) {
            return refused(source, new Preparation.TooLarge(source.maxBodySize()));
        }
        Optional<String> unsigned = source.verifier().verifyHeaders(request).fault();
        if (unsigned.isPresent()) {
            return refused(source, new Preparation.Unverified(unsigned.get()));
        }
        byte[] body = RequestBody.read(request, source.maxBodySize() + 1);
        if (body.length > source.maxBodySize()) {
            return refused(source, new Preparation.TooLarge(source.maxBodySize()));
        }
        Verification verification = source.verifier().verify(request, body);
        if (!verification.isValid()) {
            return refused(
                    source, new Preparation.Unverified(verification.fault().orElseThrow()));
        }
        DeliveryRequest verified = verification
                .signed()
                .<DeliveryRequest>map(it -> new VerifiedRequest(request, it))
                .orElse(request);
        return source.keys()
                .resolve(verified, body)
                .fold(
                        found -> new Preparation.Ready(keyed(source, verified, found, body), body),
                        unusable -> refused(source, new Preparation.Unkeyed(unusable.reason())),
                        answered -> {
                            listener.on(new DeliveryAnswered(
                                    source.name(),
                                    answered.reply().why(),
                                    answered.reply().status()));
                            return new Preparation.Answered(answered.reply());
                        });
    }

    private static PreparedDelivery keyed(
            SourcePolicy source, DeliveryRequest request, KeyResolver.Resolution.KeyParts found, byte[] body) {
        DeliveryKey key = DeliveryKey.of(source.name(), request.endpoint(), found.parts());
        if (source.fingerprint() == SourcePolicy.FingerprintBy.NONE && !found.andBody()) {
            return new PreparedDelivery(source, key, Fingerprint.NONE);
        }
        String digest = request.bodyDigest(body);
        return new PreparedDelivery(
                source,
                key,
                source.fingerprintOf(digest),
                found.andBody() ? Optional.of(bodyKey(source, request, digest)) : Optional.empty(),
                source.fingerprint() == SourcePolicy.FingerprintBy.SEPARATE
                        ? Optional.of(separateKey(source, request, found.parts(), digest))
                        : Optional.empty());
    }

    /** Its endpoint is one that no request has, so that it is never another delivery's own key. */
    private static DeliveryKey bodyKey(SourcePolicy source, DeliveryRequest request, String digest) {
        return DeliveryKey.of(source.name(), request.endpoint() + "#body", List.of(digest));
    }

    /** As above. */
    private static DeliveryKey separateKey(
            SourcePolicy source, DeliveryRequest request, List<String> parts, String digest) {
        List<String> all = new ArrayList<>(parts);
        all.add(digest);
        return DeliveryKey.of(source.name(), request.endpoint() + "#separate", all);
    }

    private Preparation refused(SourcePolicy source, Preparation.Refusal refusal) {
        listener.on(new DeliveryRefused(source.name(), refusal.category(), refusal.detail()));
        return refusal;
    }

    /**
     * Runs the handler unless the delivery was recorded, runs now, or must wait. A duplicate that its source forwards
     * reaches the handler, too, under a lease that says so; how that ends changes nothing in the store.
     *
     * @throws Exception what the handler throws, after its claim was released or recorded
     */
    public <R extends @Nullable Object> Admission<R> admit(PreparedDelivery delivery, Handler<R> handler)
            throws Exception {
        Optional<PreparedDelivery> byBody = delivery.byBody();
        return byBody.isEmpty()
                ? admitByKey(delivery, handler)
                : new BothKeys<>(this::admitByKey, byBody.get(), handler).admit(delivery);
    }

    private <R extends @Nullable Object> Admission<R> admitByKey(PreparedDelivery delivery, Handler<R> handler)
            throws Exception {
        ActiveHandlers.Turn turn =
                running.begin(); // also while the store is asked: what it grants must find the store still open
        Lease lease = null;
        try {
            ClaimAcquirer.Acquired<R> entry = gate.enter(delivery);
            lease = entry.lease();
            if (lease != null && !lease.isDuplicate()) {
                return run(lease, handler, turn);
            }
            turn.end(); // nothing will follow in the store
            return lease == null
                    ? Objects.requireNonNull(entry.refusal())
                    : new Admission.HandlerEnded<>(handler.handle(lease));
        } catch (Throwable failure) { // the handler's own, which is settled, or an error on the way to its end
            if (lease != null) {
                settlement.ensureSettled(lease);
            }
            turn.end();
            throw failure;
        }
    }

    /**
     * Renews the claims of the handlers that run, as far as they are due before the next tick. To be called every {@code
     * tick}; a third of the shortest lease keeps every claim.
     */
    public void renewLeases(Duration tick) {
        leases.renew(tick);
    }

    /** Renews the claims of all handlers that run, due or not: for a store that may have lost them. */
    public void renewAllLeases() {
        leases.renew(SourcePolicy.MAX_LEASE);
    }

    /** The records that this replica remembers, for a store that has forgotten them. */
    public List<Remembered> remembered() {
        return registry.remembered();
    }

    /**
     * Waits until no handler runs any more, also none whose stage has yet to end, so that what they did can still be
     * recorded: to be called before the store is closed.
     *
     * @return whether that was so within the time
     */
    public boolean awaitQuiet(Duration atMost) throws InterruptedException {
        return running.awaitNone(atMost);
    }

    /** The work's one end. */
    private Optional<Duration> end(Lease lease, ActiveHandlers.Turn turn, Supplier<Outcome> judgement) {
        try {
            return settlement.end(lease, judgement);
        } finally {
            turn.end();
        }
    }

    private <R extends @Nullable Object> Admission<R> run(Lease lease, Handler<R> handler, ActiveHandlers.Turn turn)
            throws Exception {
        R result;
        try {
            result = handler.handle(lease);
        } catch (Throwable failure) {
            try {
                end(lease, turn, () -> handler.judgeFailure(failure, false));
            } catch (RuntimeException | Error broken) {
                if (broken != failure) {
                    failure.addSuppressed(broken);
                }
            }
            throw failure;
        }
        if (result instanceof CompletionStage<?> stage) {
            registry.loseSight(lease.claim());
            return new Admission.HandlerEnded<>(settled(stage, lease, handler, turn));
        }
        Optional<Duration> otherRuns = end(lease, turn, () -> handler.judge(result));
        return otherRuns
                .<Admission<R>>map(Admission.StillRunning::new)
                .orElseGet(() -> new Admission.HandlerEnded<>(result));
    }

    @SuppressWarnings("unchecked") // a stage's own kind makes the stage that follows it
    private <R extends @Nullable Object> R settled(
            CompletionStage<?> stage, Lease lease, Handler<R> handler, ActiveHandlers.Turn turn) {
        try {
            return (R) stage.handle((value, failure) -> endStage(lease, handler, turn, value, failure));
        } catch (RuntimeException | Error broken) { // a stage that cannot be followed has an end that nobody hears of
            end(lease, turn, Outcome::unfinished);
            throw broken;
        }
    }

    private @Nullable Object endStage(
            Lease lease,
            Handler<?> handler,
            ActiveHandlers.Turn turn,
            @Nullable Object value,
            @Nullable Throwable failure) {
        if (failure != null) {
            end(lease, turn, () -> handler.judgeFailure(failure, true));
            throw failure instanceof CompletionException as ? as : new CompletionException(failure);
        }
        Optional<Duration> otherRuns = end(lease, turn, () -> handler.judge(value));
        if (otherRuns.isPresent()) {
            throw handler.superseded(otherRuns.get());
        }
        return value;
    }

    private static Runnable safe(Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (Throwable broken) {
                SafeLog.log(
                        LOG,
                        Level.WARNING,
                        "EXON0102 what a handler wanted to be run on the loss of its lease failed",
                        broken);
            }
        };
    }
}
