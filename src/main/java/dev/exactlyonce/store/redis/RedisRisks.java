package dev.exactlyonce.store.redis;

import dev.exactlyonce.spi.StoreContext;
import dev.exactlyonce.spi.StoreRisk;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** Reports what endangers the keys in Redis. Used by one thread. */
final class RedisRisks implements RedisStore.Watcher {
    private static final int MOST_NAMES = 3;
    private static final int LONGEST_NAME = 60;

    private final StoreContext context;
    private final Set<RedisStore.Hidden> hidden = EnumSet.noneOf(RedisStore.Hidden.class);

    RedisRisks(StoreContext context) {
        this.context = context;
    }

    @Override
    public void restarted() {
        context.claimsMayBeLost(
                "redis restarted or failed over (recent claims may be lost)",
                "give Redis a disk (appendonly yes) or replicas (exactlyonce.redis.wait-replicas)");
    }

    @Override
    public void mayEvict(boolean may) {
        if (may) {
            context.raise(
                    StoreRisk.MAY_EVICT,
                    "redis may evict claims",
                    "set maxmemory-policy noeviction on the Redis server");
        } else {
            context.clear(StoreRisk.MAY_EVICT);
        }
    }

    @Override
    public void hidden(RedisStore.Hidden what, boolean is) {
        if (is) {
            hidden.add(what);
        } else {
            hidden.remove(what);
        }
        if (hidden.isEmpty()) {
            context.clear(StoreRisk.UNOBSERVABLE);
        } else {
            context.raise(
                    StoreRisk.UNOBSERVABLE,
                    hidden.stream().map(RedisRisks::reason).collect(Collectors.joining("; ")),
                    "permit the Redis user the commands that doc/redis.md lists (ACL SETUSER)");
        }
    }

    private static String reason(RedisStore.Hidden what) {
        return switch (what) {
            case RESTARTS ->
                "redis does not permit INFO (evictions, and restarts that lose the last second, go unnoticed)";
            case APPLICATIONS ->
                "redis does not permit ZADD, ZRANGE or ZREMRANGEBYSCORE (other applications on the prefix go unnoticed)";
        };
    }

    @Override
    public void sharedWith(SortedSet<String> applications) {
        if (applications.isEmpty()) {
            context.clear(StoreRisk.SHARED_KEYS);
        } else {
            context.raise(
                    StoreRisk.SHARED_KEYS,
                    "redis prefix is shared with " + names(applications)
                            + " (deliveries may be answered as duplicates of that application's, and not run)",
                    "give each application its own exactlyonce.redis.prefix; if they are one application, name the other in"
                            + " exactlyonce.redis.shared-with");
        }
    }

    private static String names(SortedSet<String> applications) {
        String first = applications.stream()
                .limit(MOST_NAMES)
                .map(RedisRisks::printable)
                .collect(Collectors.joining(", "));
        int more = applications.size() - MOST_NAMES;
        return more > 0 ? first + " and " + more + " more" : first;
    }

    /** Every client that can write to Redis can choose it. */
    private static String printable(String name) {
        String plain = name.replaceAll("[^ -~]", "?");
        return plain.length() > LONGEST_NAME ? plain.substring(0, LONGEST_NAME) + "..." : plain;
    }
}
