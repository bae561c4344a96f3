package dev.exactlyonce.admission;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
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

    private final GuardedStore store;
    private final Registry registry;
    private final Leases leases;
    private final AdmissionListener listener;
    private final LongSupplier ticker;
    private final Running running = new Running();

    /**
     * @param ticker nanoseconds of a clock that only moves forward, as {@link System#nanoTime}
     * @param teller runs what handlers want to be run when their lease is lost
     */
    public AdmissionEngine(
            GuardedStore store, Limits limits, AdmissionListener listener, LongSupplier ticker, Executor teller) {
        this.store = store;
        this.registry = new Registry(limits.remember(), ticker);
        this.leases = new Leases(store, registry, limits.maxHold(), ticker, action -> teller.execute(safe(action)));
        this.listener = listener;
        this.ticker = ticker;
    }

    /**
     * @param remember how many records this replica answers for without the store, at least 0
     * @param maxHold how long the claim of a running handler is renewed at most
     */
    public record Limits(int remember, Duration maxHold) {
        public Limits {
            if (maxHold.isZero() || maxHold.isNegative()) {
                throw new IllegalArgumentException("max-hold must be > 0, was " + maxHold);
            }
        }
    }

    /** Body, signature, key: in this order, and each only when the one before it is right. */
    public Preparation prepare(DeliveryRequest request, SourcePolicy source) throws IOException {
        if (request.announcedLength() > source.maxBodySize()) {
            return refused(source, new Preparation.TooLarge(source.maxBodySize()));
        }
        byte[] body = RequestBody.read(request, source.maxBodySize() + 1);
        if (body.length > source.maxBodySize()) {
            return refused(source, new Preparation.TooLarge(source.maxBodySize()));
        }
        Optional<String> fault = source.verifier().verify(request, body).fault();
        if (fault.isPresent()) {
            return refused(source, new Preparation.Unverified(fault.get()));
        }
        return source.keys()
                .resolve(request, body)
                .fold(
                        found -> {
                            DeliveryKey key = DeliveryKey.of(source.name(), request.endpoint(), found.parts());
                            return new Preparation.Ready(
                                    new PreparedDelivery(source, key, source.fingerprintOf(body)), body);
                        },
                        unusable -> refused(source, new Preparation.Unkeyed(unusable.reason())),
                        answered -> {
                            tell(new AdmissionEvent.Answered(source.name(), answered.reply()));
                            return new Preparation.Answered(answered.reply());
                        });
    }

    private Preparation refused(SourcePolicy source, Preparation refusal) {
        tell(new AdmissionEvent.Refused(source.name(), refusal));
        return refusal;
    }

    /**
     * Runs the handler unless the delivery was recorded, runs now, or must wait.
     *
     * @throws Exception what the handler throws, after its claim was released or recorded
     */
    public <R extends @Nullable Object> Admission<R> admit(PreparedDelivery delivery, Handler<R> handler)
            throws Exception {
        running.begin(); // also while the store is asked: what it grants must find the store still open
        Lease lease;
        try {
            Entry<R> entry = enter(delivery);
            if (entry.refusal() != null) {
                running.end();
                return entry.refusal();
            }
            lease = Objects.requireNonNull(entry.lease());
        } catch (Throwable broken) {
            running.end();
            throw broken;
        }
        return run(lease, handler);
    }

    /** Either a lease to run under, or why not. */
    private record Entry<R extends @Nullable Object>(
            @Nullable Lease lease, @Nullable Admission<R> refusal) {
        static <R extends @Nullable Object> Entry<R> refused(Admission<R> refusal) {
            return new Entry<>(null, refusal);
        }
    }

    private <R extends @Nullable Object> Entry<R> enter(PreparedDelivery delivery) {
        SourcePolicy source = delivery.source();
        Optional<Reservation> known = registry.find(delivery.key());
        if (known.isPresent()) {
            return Entry.refused(refuse(delivery, known.get()));
        }
        Claim claim = Claim.fresh(delivery.key(), delivery.fingerprint(), source.lease());

        Reservation here = registry.enter(claim);
        if (!(here instanceof Reservation.Granted)) {
            return Entry.refused(refuse(delivery, here));
        }
        boolean bestEffort = false;
        long askedAt = ticker.getAsLong();
        try {
            Reservation there = store.reserve(claim);
            if (!(there instanceof Reservation.Granted)) {
                registry.leave(claim);
                return Entry.refused(refuse(delivery, there));
            }
        } catch (StoreUnavailableException unreachable) {
            if (source.onOutage() == SourcePolicy.OnOutage.REJECT) {
                try {
                    store.releaseLater(claim); // the lost call may have claimed the key
                } finally {
                    registry.leave(claim);
                }
                tell(new AdmissionEvent.Unavailable(source.name(), claim.key()));
                return Entry.refused(new Admission.Unavailable<>());
            }
            bestEffort = true;
        } catch (RuntimeException | Error broken) {
            registry.leave(claim);
            store.releaseLater(claim);
            throw broken;
        }
        Lease lease = leases.begin(delivery, claim, askedAt, !bestEffort && store.isShared(claim));
        tell(new AdmissionEvent.Admitted(source.name(), claim.key(), bestEffort));
        return new Entry<>(lease, null);
    }

    /**
     * Renews the claims of the handlers that run, as far as they are due before the next tick. To be called every {@code
     * tick}, by one thread at a time; a third of the shortest lease keeps every claim.
     */
    public void renewLeases(Duration tick) {
        for (PreparedDelivery lost : leases.renew(tick)) {
            tell(new AdmissionEvent.LeaseLost(lost.source().name(), lost.key()));
        }
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

    private <R extends @Nullable Object> Admission<R> run(Lease lease, Handler<R> handler) throws Exception {
        R result;
        try {
            result = handler.handle(lease);
        } catch (Throwable failure) {
            try {
                end(lease, () -> handler.judgeFailure(failure, false));
            } catch (RuntimeException | Error broken) {
                failure.addSuppressed(broken);
            }
            throw failure;
        }
        if (result instanceof CompletionStage<?> stage) {
            registry.loseSight(lease.claim());
            return new Admission.Ran<>(settled(stage, lease, handler));
        }
        Optional<Duration> otherRuns = end(lease, () -> handler.judge(result));
        return otherRuns.<Admission<R>>map(Admission.InFlight::new).orElseGet(() -> new Admission.Ran<>(result));
    }

    @SuppressWarnings("unchecked") // a stage's own kind makes the stage that follows it
    private <R extends @Nullable Object> R settled(CompletionStage<?> stage, Lease lease, Handler<R> handler) {
        try {
            return (R) stage.handle((value, failure) -> endStage(lease, handler, value, failure));
        } catch (RuntimeException | Error broken) { // a stage that cannot be followed has an end that nobody hears of
            end(lease, Outcome::unfinished);
            throw broken;
        }
    }

    private @Nullable Object endStage(
            Lease lease, Handler<?> handler, @Nullable Object value, @Nullable Throwable failure) {
        if (failure != null) {
            end(lease, () -> handler.judgeFailure(failure, true));
            throw failure instanceof CompletionException as ? as : new CompletionException(failure);
        }
        Optional<Duration> otherRuns = end(lease, () -> handler.judge(value));
        if (otherRuns.isPresent()) {
            throw handler.superseded(otherRuns.get());
        }
        return value;
    }

    /** The work's one end: settles, and whatever breaks on the way, leaves nothing that would be held for ever. */
    private Optional<Duration> end(Lease lease, Supplier<Outcome> judgement) {
        try {
            return settle(lease, judgement.get());
        } catch (RuntimeException | Error broken) {
            leases.end(lease, false);
            registry.loseSight(lease.claim());
            throw broken;
        } finally {
            running.end();
        }
    }

    /** Record or release; when that came too late and another owner runs now, what is left of that one's lease. */
    private Optional<Duration> settle(Lease lease, Outcome outcome) {
        Claim claim = lease.claim();
        SourcePolicy source = lease.delivery().source();
        boolean toBeReleased =
                outcome.kind() != Outcome.Kind.UNFINISHED && !source.recordOn().keeps(outcome);
        leases.end(lease, toBeReleased);
        if (outcome.kind() == Outcome.Kind.UNFINISHED) {
            registry.loseSight(claim);
            store.abandon(claim);
            tell(new AdmissionEvent.Unfinished(source.name(), claim.key()));
            return Optional.empty();
        }
        if (toBeReleased) {
            store.release(claim);
            registry.leave(claim);
            tell(new AdmissionEvent.Released(source.name(), claim.key(), outcome.status()));
            return Optional.empty();
        }
        return store.record(claim, outcome.status(), source.ttl())
                .fold(
                        inStore -> remember(claim, source, outcome, false),
                        owed -> remember(claim, source, outcome, true),
                        superseded -> {
                            registry.leave(claim);
                            tell(new AdmissionEvent.Superseded(source.name(), claim.key()));
                            return superseded.by().running()
                                    ? Optional.of(superseded.by().leaseLeft())
                                    : Optional.empty();
                        });
    }

    private Optional<Duration> remember(Claim claim, SourcePolicy source, Outcome outcome, boolean owed) {
        registry.remember(claim, outcome.status(), source.ttl());
        tell(new AdmissionEvent.Recorded(source.name(), claim.key(), outcome.status(), owed));
        return Optional.empty();
    }

    private <R extends @Nullable Object> Admission<R> refuse(PreparedDelivery delivery, Reservation taken) {
        String source = delivery.source().name();
        DeliveryKey key = delivery.key();
        Supplier<Admission<R>> otherBody = () -> {
            tell(new AdmissionEvent.OtherBody(source, key));
            return new Admission.OtherBody<>();
        };
        return taken.fold(
                granted -> {
                    throw new IllegalStateException("a granted claim is no refusal");
                },
                inFlight -> {
                    if (inFlight.fingerprint().contradicts(delivery.fingerprint())) {
                        return otherBody.get();
                    }
                    tell(new AdmissionEvent.InFlight(source, key));
                    return new Admission.InFlight<>(inFlight.leaseLeft());
                },
                recorded -> {
                    if (recorded.fingerprint().contradicts(delivery.fingerprint())) {
                        return otherBody.get();
                    }
                    tell(new AdmissionEvent.Duplicate(source, key, recorded.status()));
                    return new Admission.Duplicate<>(recorded.status());
                });
    }

    private static Runnable safe(Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (Throwable broken) {
                LOG.log(
                        Level.WARNING,
                        "EXON0102 what a handler wanted to be run on the loss of its lease failed",
                        broken);
            }
        };
    }

    private void tell(AdmissionEvent event) {
        try {
            listener.on(event);
        } catch (Throwable broken) { // an Error, too, would end a delivery between its claim and its record
            LOG.log(
                    Level.WARNING,
                    "EXON0101 a listener failed on " + event.getClass().getSimpleName(),
                    broken);
        }
    }
}
