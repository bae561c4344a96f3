package dev.exactlyonce.cdi;

import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.store.redis.RedisStore;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** What endangers what Redis keeps, as degraded facts. Called by one thread. */
final class RedisFacts implements RedisStore.Watcher {
    private static final int MOST_NAMES = 3;
    private static final int LONGEST_NAME = 60;

    private final LostClaims losses;
    private final DegradedFacts facts;
    private final Set<RedisStore.Hidden> hidden = EnumSet.noneOf(RedisStore.Hidden.class);

    RedisFacts(LostClaims losses) {
        this.losses = losses;
        this.facts = losses.facts();
    }

    @Override
    public void restarted() {
        losses.raise(
                "redis restarted or failed over (recent claims may be lost)",
                "give Redis a disk (appendonly yes) or replicas (exactlyonce.redis.wait-replicas)");
    }

    @Override
    public void mayEvict(boolean may) {
        if (may) {
            facts.raise(
                    DegradedFacts.FactKind.MAY_FORGET,
                    "redis may evict claims",
                    "set maxmemory-policy noeviction on the Redis server");
        } else {
            facts.clear(DegradedFacts.FactKind.MAY_FORGET);
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
            facts.clear(DegradedFacts.FactKind.UNOBSERVED);
        } else {
            facts.raise(
                    DegradedFacts.FactKind.UNOBSERVED,
                    hidden.stream().map(RedisFacts::reason).collect(Collectors.joining("; ")),
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
            facts.clear(DegradedFacts.FactKind.SHARED);
        } else {
            facts.raise(
                    DegradedFacts.FactKind.SHARED,
                    "redis prefix is shared with " + names(applications)
                            + " (deliveries may be answered as duplicates of that application's, and not run)",
                    "give each application its own exactlyonce.redis.prefix; if they are one application, name the other in"
                            + " exactlyonce.redis.shared-with");
        }
    }

    private static String names(SortedSet<String> applications) {
        String first = applications.stream()
                .limit(MOST_NAMES)
                .map(RedisFacts::printable)
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
