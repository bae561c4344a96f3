package dev.exactlyonce.sender;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A run of an application's work, and the handle by which it and its sub-runs number their events: {@code
 * {run_id}:{event_type}:{step_index}}. The same run numbers the same events alike when it is repeated, as long as those of
 * one type come in the same order; two legitimate events of one type have two keys. Pass the handle on to sub-runs: they
 * count on. Thread-safe, though threads that race for one type's numbers do not number alike when they are repeated.
 */
public final class EventRun {
    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9_/-]{1,128}");

    private final UUID id;
    private final Map<String, AtomicInteger> steps = new ConcurrentHashMap<>();

    private EventRun(UUID id) {
        this.id = id;
    }

    /** A new run. */
    public static EventRun start() {
        return new EventRun(UUID.randomUUID());
    }

    /** The run with this id, from its beginning: for work that is repeated as a whole. */
    public static EventRun of(UUID id) {
        return new EventRun(id);
    }

    public UUID id() {
        return id;
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
        int step = steps.computeIfAbsent(type, any -> new AtomicInteger()).getAndIncrement();
        return new EventKey(id + ":" + type + ":" + step);
    }
}
