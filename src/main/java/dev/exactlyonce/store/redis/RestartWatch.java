package dev.exactlyonce.store.redis;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads what INFO tells of each master, and tells of a restart, a failover and an eviction policy. Thread-safe: the
 * answers of several connections may come in any order.
 */
final class RestartWatch {
    private static final System.Logger LOG = System.getLogger(RestartWatch.class.getName());
    private static final String NO_EVICTION = "noeviction";
    private static final String NO_FORMER_REPLICATION = "0".repeat(40);
    private static final String NO_LIMIT = "0";

    private record Seen(long number, String run, String replication, boolean mayEvict) {}

    private final RedisStore.Watcher watcher;
    private final Executor executor;
    private final AtomicLong lastAsked = new AtomicLong();
    private final Map<Object, Seen> masters = new HashMap<>();

    /** @param executor one thread, so that the watcher hears in order and stops no connection */
    RestartWatch(RedisStore.Watcher watcher, Executor executor) {
        this.watcher = watcher;
        this.executor = executor;
    }

    /** To be taken before INFO is sent. */
    long ask() {
        return lastAsked.incrementAndGet();
    }

    /** @param number what {@link #ask} gave: an answer to an earlier question tells of an older connection */
    synchronized void saw(Object master, long number, String info) {
        Map<String, String> fields = fields(info);
        String run = fields.getOrDefault("run_id", "");
        Seen last = masters.get(master);
        if (run.isEmpty() || (last != null && last.number() > number)) {
            return;
        }
        Seen now = new Seen(number, run, fields.getOrDefault("master_replid", ""), mayEvict(fields));
        masters.put(master, now);
        boolean anyMayEvict = masters.values().stream().anyMatch(Seen::mayEvict);
        tell(() -> watcher.mayEvict(anyMayEvict));
        if (last != null && (!last.run().equals(run) || isPromoted(last, now, fields))) {
            tell(watcher::restarted);
        }
    }

    /** A promoted one keeps its former master's id. A first replica and the loss of the last change the id, too. */
    private static boolean isPromoted(Seen last, Seen now, Map<String, String> fields) {
        return !last.replication().equals(now.replication())
                && !fields.getOrDefault("master_replid2", NO_FORMER_REPLICATION).equals(NO_FORMER_REPLICATION);
    }

    private static boolean mayEvict(Map<String, String> fields) {
        return !fields.getOrDefault("maxmemory", NO_LIMIT).equals(NO_LIMIT)
                && !fields.getOrDefault("maxmemory_policy", NO_EVICTION).equals(NO_EVICTION);
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

    private void tell(Runnable what) {
        try {
            executor.execute(() -> {
                try {
                    what.run();
                } catch (RuntimeException e) { // a watcher that fails breaks nothing
                    LOG.log(Level.WARNING, "EXON0212 a watcher of Redis failed", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "the Redis store was closed before its watcher heard of a change");
        }
    }
}
