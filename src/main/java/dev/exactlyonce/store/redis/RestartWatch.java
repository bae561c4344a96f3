package dev.exactlyonce.store.redis;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads the INFO of each master, and reports a restart, a failover and an eviction policy; or that INFO does not show
 * them. Thread-safe: the answers of several connections may come in any order.
 */
final class RestartWatch {
    private static final String NO_EVICTION = "noeviction";
    private static final String NO_FORMER_REPLICATION = "0".repeat(40);
    private static final String NO_LIMIT = "0";
    private static final String POLICY = "maxmemory_policy";

    /** @param run empty where INFO does not show it */
    private record Seen(long number, String run, String replication, boolean mayEvict, boolean showsAll) {}

    private final RedisStore.Watcher watcher;
    private final AtomicLong lastAsked = new AtomicLong();
    private final Map<Object, Seen> masters = new HashMap<>();
    private boolean anyHidden;

    /** @param watcher fails never, and takes no time */
    RestartWatch(RedisStore.Watcher watcher) {
        this.watcher = watcher;
    }

    /** To be taken before INFO is sent. */
    long ask() {
        return lastAsked.incrementAndGet();
    }

    /**
     * @param number what {@link #ask} gave: an answer to an earlier question is about an older connection
     * @param info empty where INFO is not permitted
     * @return whether INFO shows restarts and evictions
     */
    synchronized boolean saw(Object master, long number, String info) {
        Seen last = masters.get(master);
        if (last != null && last.number() > number) {
            return last.showsAll();
        }
        Map<String, String> fields = fields(info);
        String run = fields.getOrDefault("run_id", "");
        Seen now = new Seen(
                number,
                run,
                fields.getOrDefault("master_replid", ""),
                mayEvict(fields),
                !run.isEmpty() && fields.containsKey(POLICY));
        masters.put(master, now);
        reportWhatIsHidden();
        if (fields.containsKey(POLICY)) {
            boolean anyMayEvict = masters.values().stream().anyMatch(Seen::mayEvict);
            watcher.mayEvict(anyMayEvict);
        }
        if (last != null && !last.run().isEmpty() && (!last.run().equals(run) || isPromoted(last, now, fields))) {
            watcher.restarted(); // also where the run is hidden now: it may be another server
        }
        return now.showsAll();
    }

    private void reportWhatIsHidden() {
        boolean isAny = masters.values().stream().anyMatch(it -> !it.showsAll());
        if (isAny != anyHidden) {
            anyHidden = isAny;
            watcher.hidden(RedisStore.Hidden.RESTARTS, isAny);
        }
    }

    /** Whether the last INFO of this master did not show restarts. */
    synchronized boolean isHidden(Object master) {
        Seen last = masters.get(master);
        return last != null && !last.showsAll();
    }

    /** A promoted one keeps its former master's id. A first replica and the loss of the last change the id, too. */
    private static boolean isPromoted(Seen last, Seen now, Map<String, String> fields) {
        return !last.replication().equals(now.replication())
                && !fields.getOrDefault("master_replid2", NO_FORMER_REPLICATION).equals(NO_FORMER_REPLICATION);
    }

    private static boolean mayEvict(Map<String, String> fields) {
        return !fields.getOrDefault("maxmemory", NO_LIMIT).equals(NO_LIMIT)
                && !fields.getOrDefault(POLICY, NO_EVICTION).equals(NO_EVICTION);
    }

    private static Map<String, String> fields(String info) {
        Map<String, String> fields = new HashMap<>();
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).trim());
            }
        });
        return fields;
    }
}
