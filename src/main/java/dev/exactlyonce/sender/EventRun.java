package dev.exactlyonce.sender;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A run of an application's work, and the handle by which it and its sub-runs number their events: {@code
 * {run_id}:{event_type}:{step_index}}.
 *
 * <pre>{@code
 * EventRun run = EventRun.of(order.id());
 * sender.send("crm", WebhookEvent.json(run.next("order_paid"), Map.of("order", 17)));    // <id>:order_paid:1
 * sender.send("crm", WebhookEvent.json(run.next("order_packed"), Map.of("order", 17)));  // <id>:order_packed:1
 * }</pre>
 *
 * The first step is 1. By default each type has a counter of its own; with {@link Count#PER_RUN} all types share one. Two
 * senders of one run, in whichever language, make the same keys only when they count alike.
 *
 * <p>The same run numbers the same events alike when it is repeated, as long as those that share a counter come in the same
 * order; two legitimate events of one type have two keys. Pass the handle on to sub-runs: they count on. Thread-safe.
 *
 * <p>Not guaranteed: threads that race for one counter do not number alike when they are repeated. A handle counts from the
 * beginning after a restart, as it keeps nothing on disk.
 *
 * @since 0.1.0
 */
public final class EventRun {
    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9_/-]{1,128}");

    /** Which events a counter numbers. */
    public enum Count {
        /** Those of one type: {@code paid:1}, {@code packed:1}, {@code paid:2}. An event's number depends on no other type. */
        PER_TYPE,
        /** All of the run: {@code paid:1}, {@code packed:2}, {@code paid:3}. */
        PER_RUN
    }

    private final UUID id;
    private final Count count;
    private final Map<String, AtomicInteger> perType = new ConcurrentHashMap<>();
    private final AtomicInteger perRun = new AtomicInteger();

    private EventRun(UUID id, Count count) {
        this.id = Objects.requireNonNull(id);
        this.count = Objects.requireNonNull(count);
    }

    /** A new run, with a counter for each type. */
    public static EventRun start() {
        return start(Count.PER_TYPE);
    }

    /** A new run. */
    public static EventRun start(Count count) {
        return of(UUID.randomUUID(), count);
    }

    /** The run with this id, from its beginning, with a counter for each type: for work that is repeated as a whole. */
    public static EventRun of(UUID id) {
        return of(id, Count.PER_TYPE);
    }

    /**
     * The run with this id, from its beginning: for work that is repeated as a whole.
     *
     * @param count the same whenever the run is repeated: a run that is counted otherwise has other keys, and its events are
     *     sent again
     */
    public static EventRun of(UUID id, Count count) {
        return new EventRun(id, count);
    }

    public UUID id() {
        return id;
    }

    /** Which events a counter of this run numbers. */
    public Count count() {
        return count;
    }

    /**
     * The key of this run's next event of that type.
     *
     * @param type 1 to 128 of {@code A-Z a-z 0-9 _ - /}; no {@code :}, which separates a key's parts, and no {@code .},
     *     which a key cannot hold
     * @throws IllegalArgumentException for any other type
     */
    public EventKey next(String type) {
        if (!TYPE.matcher(type).matches()) {
            throw new IllegalArgumentException("an event's type is 1 to 128 of A-Z a-z 0-9 _ - /");
        }
        return new EventKey(id + ":" + type + ":" + counter(type).incrementAndGet());
    }

    private AtomicInteger counter(String type) {
        return switch (count) {
            case PER_TYPE -> perType.computeIfAbsent(type, any -> new AtomicInteger());
            case PER_RUN -> perRun;
        };
    }
}
