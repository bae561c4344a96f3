package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.SenderEvent;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sender.WebhookSender;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.CommitTrigger;
import dev.exactlyonce.sender.spi.DeadLetterStore;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import dev.exactlyonce.sender.spi.EndpointStates;
import dev.exactlyonce.sender.spi.EventQueue;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Moves events from the outbox to their endpoints: claims those that are due, has each attempted in its endpoint's lane,
 * and has the outcome written down.
 *
 * <pre>
 * send → enqueue (claimed at once, when the lane has a place) ─┐
 *                                                               ├→ lane → Courier → Settler → outbox
 * tick → due? → claim (others', crashed ones', retries) ────────┘
 * </pre>
 *
 * Thread-safe.
 */
final class Dispatcher implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());

    /** How long a claim holds: an attempt's longest time and a queue before it. A crash delays an event by it. */
    static final Duration LEASE = Duration.ofSeconds(30);

    private static final long LONGEST_CLOSE_NANOS =
            Endpoint.ANSWER_WITHIN.plusSeconds(2).toNanos();
    private static final int PURGE_BATCH = 200;

    /** Between two looks into the outbox under load, so that one look finds several events. */
    private static final Duration BREATH = Duration.ofMillis(20);

    private final SenderSettings settings;
    private final EventQueue events;
    private final EndpointStates endpoints;
    private final DeadLetterStore deadLetters;
    private final CommitTrigger commits;
    private final AttemptExecutor courier;
    private final ResultWriter settler;
    private final EventPublisher announcer;
    private final LongSupplier nanoTime;
    private final Map<String, EndpointWorker> lanes = new LinkedHashMap<>();
    private final WakeUp wakeUp;
    private final QueuedClaims holds;
    private final Set<String> undeclared = ConcurrentHashMap.newKeySet();
    private volatile Map<String, String> disabled = Map.of();
    private volatile boolean closing;

    Dispatcher(SenderBuilder parts) {
        this.settings = parts.settings;
        this.events = parts.outbox();
        this.endpoints = parts.outbox();
        this.deadLetters = parts.deadLetters();
        this.commits = parts.commits;
        this.courier = new AttemptExecutor(parts.transport(), parts.clock, parts.random);
        this.announcer = new EventPublisher(parts.listener);
        this.nanoTime = parts.nanoTime;
        this.wakeUp = new WakeUp(nanoTime);
        this.holds = new QueuedClaims(events, LEASE, nanoTime);
        settings.endpoints().values().forEach(it -> lanes.put(it.name(), lane(it, parts.circuits())));
        this.settler = new ResultWriter(events, this::written, parts.pause); // the last: it starts a thread
    }

    private EndpointWorker lane(Endpoint endpoint, EndpointCircuitBreaker.Factory circuits) {
        String name = endpoint.name();
        return new EndpointWorker(
                endpoint, circuits.of(endpoint, state -> announcer.tell(new SenderEvent.CircuitChanged(name, state))));
    }

    WebhookSender.Sent enqueue(OutgoingEvent event) {
        EndpointWorker lane = lane(event.endpoint());
        boolean isPending = commits.arePending(); // then it keeps no place: a transaction may take its time
        long now = nanoTime.getAsLong();
        int places = closing || isPending ? 0 : lane.take(1);
        boolean isStarted = false;
        try {
            EventQueue.Enqueued enqueued = events.enqueue(event, places == 1 ? Optional.of(LEASE) : Optional.empty());
            if (enqueued instanceof EventQueue.Enqueued.Claimed it) {
                isStarted = true;
                start(lane, it.event(), now);
            } else if (enqueued instanceof EventQueue.Enqueued.Waiting) {
                if (isPending) {
                    lookAtTheCommit();
                } else {
                    lane.isWaitedFor(true);
                }
            }
            return enqueued instanceof EventQueue.Enqueued.Known ? WebhookSender.Sent.KNOWN : WebhookSender.Sent.QUEUED;
        } finally {
            if (!isStarted) {
                lane.leave(places);
            }
        }
    }

    private void lookAtTheCommit() {
        try {
            commits.onEnd(committed -> wakeUp.now());
        } catch (RuntimeException unwilling) { // the event counts all the same, and is found within a second
            LOG.log(Level.DEBUG, "the end of a transaction is not told", unwilling);
        }
    }

    private void start(EndpointWorker lane, ClaimedEvent event, long claimed) {
        QueuedClaim hold = holds.add(event, claimed);
        boolean isRunning = false;
        try {
            isRunning = lane.run(() -> attempt(lane, hold));
        } finally {
            if (!isRunning) {
                holds.remove(hold); // its lease ends
            }
        }
    }

    /** Claims what is due and starts it. Waits for nothing but the outbox. */
    void tick() {
        lookForDisabled();
        holds.keep();
        for (String name : events.due()) {
            EndpointWorker lane = lanes.get(name);
            if (lane != null) {
                claimOf(lane);
            } else if (undeclared.add(name)) {
                LOG.log(
                        Level.WARNING,
                        "EXON0730 {0} events wait for endpoints that are not declared here, {1} among them",
                        String.valueOf(events.countUndeclared(lanes.keySet())),
                        name);
            }
        }
        if (events.purge(settings.retention(), PURGE_BATCH) == PURGE_BATCH) {
            wakeUp.in(BREATH);
        }
    }

    /** One after the other, so that an older answer does not replace a newer one. */
    private synchronized void lookForDisabled() {
        disabled = endpoints.disabled();
    }

    /** What is wrong with one endpoint's events keeps no other's waiting. */
    private void claimOf(EndpointWorker lane) {
        try {
            claim(lane);
        } catch (OutboxUnavailableException away) {
            throw away;
        } catch (RuntimeException | Error fault) {
            SafeLog.log(
                    LOG,
                    Level.ERROR,
                    "EXON0714 events for " + lane.endpoint().name() + " could not be started; tried again in a second",
                    fault);
        }
    }

    private void claim(EndpointWorker lane) {
        int places = lane.take(Integer.MAX_VALUE);
        int used = 0;
        if (places == 0) {
            lane.isWaitedFor(true);
            return;
        }
        try {
            long now = nanoTime.getAsLong();
            for (ClaimedEvent event : events.claim(lane.endpoint().name(), places, LEASE)) {
                used++;
                start(lane, event, now);
            }
            lane.isWaitedFor(used == places);
        } finally {
            lane.leave(places - used);
        }
    }

    private void attempt(EndpointWorker lane, QueuedClaim hold) {
        ClaimedEvent event = hold.event();
        try {
            if (closing) {
                holds.remove(hold);
                settler.add(new AttemptResult.RetryLater(event, Optional.empty(), Duration.ZERO));
                return;
            }
            if (!holds.begin(hold)) {
                return; // whoever has it now attempts it
            }
            String name = lane.endpoint().name();
            AttemptExecutor.Executed outcome = courier.carry(
                    lane.endpoint(),
                    lane.circuit(),
                    disabled.containsKey(name),
                    event,
                    () -> hold.roundAge(nanoTime.getAsLong()));
            if (outcome.isGone()) {
                disable(name);
            }
            settler.add(outcome.settlement());
        } catch (Throwable fault) { // its lease ends, and it is tried again
            SafeLog.log(LOG, Level.ERROR, "EXON0705 " + event + " could not be attempted", fault);
        } finally {
            if (lane.isWaitedFor()) {
                wakeUp.in(BREATH);
            }
        }
    }

    private void disable(String endpoint) {
        try {
            endpoints.disable(endpoint, "410");
            lookForDisabled();
        } catch (OutboxUnavailableException trouble) { // what came of the attempt must still be written
            LOG.log(
                    Level.WARNING,
                    "EXON0731 endpoint " + endpoint + " answered 410 and could not be disabled",
                    trouble);
            return;
        }
        LOG.log(Level.ERROR, "EXON0706 endpoint {0} answered 410: nothing is sent there until it is enabled", endpoint);
        announcer.tell(new SenderEvent.Disabled(endpoint));
    }

    /** After the outbox has it. */
    private void written(AttemptResult settlement) {
        announcer.written(settlement);
        if (settlement instanceof AttemptResult.RetryLater it) {
            wakeUp.in(it.delay());
        } else if (settlement instanceof AttemptResult.Exhausted it) {
            if (it.made().isPresent()) { // a dead letter of an open circuit or a disabled endpoint is no news of the
                // receiver
                lane(it.event().event().endpoint()).circuit().deadLettered();
            }
            deadLetters.added();
        }
    }

    EndpointWorker lane(String endpoint) {
        settings.endpoint(endpoint);
        return Objects.requireNonNull(lanes.get(endpoint));
    }

    /** As {@link SenderControl#endpoints}. */
    Map<String, String> states() {
        Map<String, String> states = new TreeMap<>();
        Set<String> off = disabled.keySet();
        lanes.forEach((name, lane) -> states.put(
                name,
                off.contains(name)
                        ? "disabled"
                        : lane.circuit().state().name().toLowerCase(Locale.ROOT).replace('_', '-')));
        return states;
    }

    /** As {@link SenderControl#enable}. */
    boolean enable(String endpoint) {
        boolean wasDisabled = endpoints.enable(endpoint);
        lookForDisabled();
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
            closeLanes();
        } finally {
            settler.close();
        }
    }

    private void closeLanes() {
        long deadline = nanoTime.getAsLong() + LONGEST_CLOSE_NANOS;
        try {
            for (EndpointWorker lane : lanes.values()) {
                lane.close(Math.max(0, deadline - nanoTime.getAsLong()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
