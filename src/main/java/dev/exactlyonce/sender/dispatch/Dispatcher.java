package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.SenderControl;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sender.WebhookSender;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.CommitTrigger;
import dev.exactlyonce.sender.spi.DeadLetterStore;
import dev.exactlyonce.sender.spi.EventQueue;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Moves events from the outbox to their endpoints: claims those that are due, has each attempted by its endpoint's worker,
 * and has the result written.
 *
 * <pre>
 * send → enqueue (claimed at once, when the worker has a free slot) ─┐
 *                                                                     ├→ EndpointWorker → AttemptExecutor → ResultWriter
 * tick → due? → claim (others', crashed ones', retries) ──────────────┘
 * </pre>
 *
 * Thread-safe.
 */
final class Dispatcher implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());

    /** How long a claim holds: an attempt's longest time and a queue before it. A crash delays an event by it. */
    static final Duration LEASE = Duration.ofSeconds(30);

    private static final int PURGE_BATCH = 200;

    /** Between two queries of the outbox under load, so that one query finds several events. */
    private static final Duration BETWEEN_QUERIES = Duration.ofMillis(20);

    private final SenderSettings settings;
    private final EventQueue events;
    private final DeadLetterStore deadLetters;
    private final CommitTrigger commits;
    private final AttemptExecutor executor;
    private final ResultWriter results;
    private final EventPublisher publisher;
    private final LongSupplier nanoTime;
    private final EndpointWorkers workers;
    private final WakeUp wakeUp;
    private final QueuedClaims queued;
    private final DisabledEndpoints disabled;
    private final Set<String> undeclared = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    Dispatcher(SenderBuilder parts) {
        this.settings = parts.settings;
        this.events = parts.outbox();
        this.deadLetters = parts.deadLetters();
        this.commits = parts.commits;
        this.executor = new AttemptExecutor(parts.transport(), parts.clock, parts.random);
        this.publisher = new EventPublisher(parts.listener);
        this.nanoTime = parts.nanoTime;
        this.wakeUp = new WakeUp(nanoTime);
        this.queued = new QueuedClaims(events, LEASE, nanoTime);
        this.disabled = new DisabledEndpoints(parts.outbox(), publisher);
        this.workers = new EndpointWorkers(parts, publisher);
        this.results = new ResultWriter(events, this::written, parts.pause); // the last: it starts a thread
    }

    WebhookSender.Sent enqueue(OutgoingEvent event) {
        EndpointWorker worker = workers.of(event.endpoint());
        boolean isPending = commits.arePending(); // then it holds no slot: a transaction may take its time
        long now = nanoTime.getAsLong();
        int slots = closing || isPending ? 0 : worker.take(1);
        boolean isStarted = false;
        try {
            EventQueue.Enqueued enqueued = events.enqueue(event, slots == 1 ? Optional.of(LEASE) : Optional.empty());
            if (enqueued instanceof EventQueue.Enqueued.Claimed it) {
                isStarted = true;
                start(worker, it.event(), now);
            } else if (enqueued instanceof EventQueue.Enqueued.Waiting) {
                if (isPending) {
                    wakeUpAfterCommit();
                } else {
                    worker.mayHaveMore(true);
                }
            }
            return enqueued instanceof EventQueue.Enqueued.Known ? WebhookSender.Sent.KNOWN : WebhookSender.Sent.QUEUED;
        } finally {
            if (!isStarted) {
                worker.release(slots);
            }
        }
    }

    private void wakeUpAfterCommit() {
        try {
            commits.onEnd(committed -> wakeUp.now());
        } catch (RuntimeException notPossible) { // the event counts all the same, and is found within a second
            LOG.log(Level.DEBUG, "the end of a transaction will not be reported", notPossible);
        }
    }

    private void start(EndpointWorker worker, ClaimedEvent event, long claimed) {
        QueuedClaim claim = queued.add(event, claimed);
        boolean isRunning = false;
        try {
            isRunning = worker.run(() -> attempt(worker, claim));
        } finally {
            if (!isRunning) {
                queued.remove(claim); // its lease ends
            }
        }
    }

    /** Claims what is due and starts it. Waits for nothing but the outbox. */
    void tick() {
        disabled.refresh();
        queued.renewAll();
        for (String name : events.due()) {
            workers.find(name).ifPresentOrElse(this::claimSafely, () -> reportUndeclared(name));
        }
        if (events.purge(settings.retention(), PURGE_BATCH) == PURGE_BATCH) {
            wakeUp.in(BETWEEN_QUERIES);
        }
    }

    private void reportUndeclared(String endpoint) {
        if (undeclared.add(endpoint)) {
            LOG.log(
                    Level.WARNING,
                    "EXON0730 {0} events wait for endpoints that are not declared here, {1} among them",
                    String.valueOf(events.countUndeclared(workers.names())),
                    endpoint);
        }
    }

    /** A fault with one endpoint's events does not delay another's. */
    private void claimSafely(EndpointWorker worker) {
        try {
            claim(worker);
        } catch (OutboxUnavailableException away) {
            throw away;
        } catch (RuntimeException | Error fault) {
            SafeLog.log(
                    LOG,
                    Level.ERROR,
                    "EXON0714 events for " + worker.endpoint().name()
                            + " could not be started; retrying within a second",
                    fault);
        }
    }

    private void claim(EndpointWorker worker) {
        int slots = worker.take(Integer.MAX_VALUE);
        int used = 0;
        if (slots == 0) {
            worker.mayHaveMore(true);
            return;
        }
        try {
            long now = nanoTime.getAsLong();
            for (ClaimedEvent event : events.claim(worker.endpoint().name(), slots, LEASE)) {
                used++;
                start(worker, event, now);
            }
            worker.mayHaveMore(used == slots);
        } finally {
            worker.release(slots - used);
        }
    }

    private void attempt(EndpointWorker worker, QueuedClaim claim) {
        ClaimedEvent event = claim.event();
        try {
            if (closing) {
                queued.remove(claim);
                results.add(new AttemptResult.RetryLater(event, Optional.empty(), Duration.ZERO));
                return;
            }
            if (!queued.begin(claim)) {
                return; // its new owner attempts it
            }
            String name = worker.endpoint().name();
            AttemptResult result = executor.execute(
                    worker.endpoint(),
                    worker.circuit(),
                    disabled.contains(name),
                    event,
                    () -> claim.roundAge(nanoTime.getAsLong()));
            if (result.isEndpointGone()) {
                disabled.disable(name);
            }
            results.add(result);
        } catch (Throwable fault) { // its lease ends, and it is attempted again
            SafeLog.log(LOG, Level.ERROR, "EXON0705 " + event + " could not be attempted", fault);
        } finally {
            if (worker.mayHaveMore()) {
                wakeUp.in(BETWEEN_QUERIES);
            }
        }
    }

    /** Called after the outbox has the result. */
    private void written(AttemptResult result) {
        publisher.written(result);
        if (result instanceof AttemptResult.RetryLater it) {
            wakeUp.in(it.delay());
        } else if (result instanceof AttemptResult.Exhausted it) {
            if (it.made().isPresent()) { // a dead letter without an attempt says nothing about the endpoint
                workers.of(it.event().event().endpoint()).circuit().deadLettered();
            }
            deadLetters.added();
        }
    }

    EndpointWorkers workers() {
        return workers;
    }

    /** As {@link SenderControl#endpoints}. */
    Map<String, String> states() {
        return workers.states(disabled);
    }

    /** As {@link SenderControl#enable}. */
    boolean enable(String endpoint) {
        boolean wasDisabled = disabled.enable(endpoint);
        wakeUp.now();
        return wasDisabled;
    }

    /** Wakes the loop. */
    WakeUp wakeUp() {
        return wakeUp;
    }

    /** Lets running attempts end and gives the claims of the others back. */
    @Override
    public void close() {
        closing = true;
        try {
            workers.close();
        } finally {
            results.close();
        }
    }
}
