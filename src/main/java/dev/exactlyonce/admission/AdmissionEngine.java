package dev.exactlyonce.admission;

import dev.exactlyonce.Mode;
import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.event.DeliveryAnswered;
import dev.exactlyonce.event.DeliveryRefused;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what happens to a delivery, from its request to its record.
 *
 * <p>{@link #prepare} reads, verifies and keys it, without touching the store. {@link #admit} then asks this replica's
 * own claims and the store for the key, runs the handler when both grant it, and records or releases by how it ended.
 * Thread-safe.
 */
public final class AdmissionEngine {
    private static final System.Logger LOG = System.getLogger(AdmissionEngine.class.getName());

    private final LocalClaims localClaims;
    private final Leases leases;
    private final ClaimAcquirer acquirer;
    private final OutcomeRecorder recorder;
    private final TransactionalAdmission transactional;
    private final AdmissionListener listener;
    private final ActiveHandlers activeHandlers = new ActiveHandlers();

    /**
     * @param ticker nanoseconds of a clock that only moves forward, as {@link System#nanoTime}
     * @param callbackExecutor runs the actions of Delivery.onLost
     */
    public AdmissionEngine(
            GuardedStore store,
            Limits limits,
            AdmissionListener listener,
            LongSupplier ticker,
            Executor callbackExecutor) {
        this.localClaims = new LocalClaims(limits.remember(), limits.maxHold(), ticker);
        this.listener = new SafeListener(listener);
        this.leases = new Leases(
                store,
                localClaims,
                this.listener,
                new HeldLease.Terms(limits.maxHold(), ticker, action -> callbackExecutor.execute(safe(action))));
        AdmissionParts parts = new AdmissionParts(store, localClaims, leases, this.listener);
        this.recorder = new OutcomeRecorder(parts);
        this.acquirer = new ClaimAcquirer(parts, recorder, ticker);
        this.transactional = new TransactionalAdmission(store.transactional(), parts, acquirer);
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
     * Checks the signature's headers, body, signature and key in this order, each only when the one before it is right. No body
     * is kept in memory for a request without signature headers.
     */
    public Preparation prepare(DeliveryRequest delivered, SourcePolicy source) throws IOException {
        ReceivedRequest request = new ReceivedRequest(delivered);
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
        ReceivedRequest verified = request.withSigned(verification.signed());
        return source.keys()
                .resolve(verified, body)
                .fold(
                        found -> new Preparation.Ready(PreparedDelivery.of(source, verified, found, body), body),
                        unusable -> refused(source, new Preparation.Unkeyed(unusable.reason())),
                        answered -> {
                            listener.on(new DeliveryAnswered(
                                    source.name(),
                                    answered.reply().why(),
                                    answered.reply().status()));
                            return new Preparation.Answered(answered.reply());
                        });
    }

    private Preparation refused(SourcePolicy source, Preparation.Refusal refusal) {
        listener.on(new DeliveryRefused(source.name(), refusal.category(), refusal.detail()));
        return refusal;
    }

    /**
     * Runs the handler unless the delivery was recorded, runs now, or must wait. A duplicate that its source forwards
     * reaches the handler, too, and sees so; how that ends changes nothing in the store.
     *
     * @throws Exception what the handler throws, after its claim was released or recorded
     */
    public <R extends @Nullable Object> Admission<R> admit(PreparedDelivery delivery, Handler<R> handler)
            throws Exception {
        ActiveHandlers.RunningHandler turn =
                activeHandlers.begin(); // also while the store is asked: what it grants must find the store still open
        List<HeldLease> held = List.of();
        try {
            if (delivery.source().mode() == Mode.TRANSACTIONAL) {
                Admission<R> admission = transactional.admit(delivery, handler);
                turn.end();
                return admission;
            }
            Acquisition<R> acquisition = acquirer.acquire(delivery.toClaim());
            if (acquisition instanceof Acquisition.ClaimsGranted<R> granted) {
                held = granted.held();
                if (!held.isEmpty()) {
                    return new HandlerRun<>(handler, granted, recorder, turn).run();
                }
                turn.end(); // nothing will follow in the store
                return new Admission.HandlerEnded<>(handler.handle(granted.view()));
            }
            turn.end();
            return ((Acquisition.ClaimsRefused<R>) acquisition).refusal();
        } catch (Throwable failure) { // the handler's own, which is settled, or an error on the way to its end
            recorder.ensureSettled(held);
            turn.end();
            throw failure;
        }
    }

    /**
     * What this replica's own claims refuse the delivery with: asked before a wait that would be for nothing. Claims nothing,
     * and asks no store but for the answer of a duplicate.
     */
    public <R extends @Nullable Object> Optional<Admission<R>> knownRefusal(PreparedDelivery delivery) {
        return acquirer.knownRefusal(delivery);
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
    public List<LocalEntry> remembered() {
        return localClaims.remembered();
    }

    /**
     * Waits until no handler runs any more, also none whose stage has yet to end, so that what they did can still be
     * recorded: to be called before the store is closed.
     *
     * @return whether that was so within the time
     */
    public boolean awaitQuiet(Duration atMost) throws InterruptedException {
        return activeHandlers.awaitNone(atMost);
    }

    private static Runnable safe(Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (Throwable broken) {
                SafeLog.log(LOG, Level.WARNING, "EXON0102 an action of Delivery.onLost failed", broken);
            }
        };
    }
}
