package dev.exactlyonce.store.redis;

import dev.exactlyonce.redis.Deadline;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.redis.client.CommandReply;
import dev.exactlyonce.redis.client.KeyedCommand;
import dev.exactlyonce.redis.client.PipelinedClient;
import dev.exactlyonce.redis.client.RedisExceptions;
import dev.exactlyonce.redis.client.RoutedCommand;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.redisson.client.protocol.RedisCommand;

/**
 * Keeps in Redis which applications use the prefix, and finds out which others do: a sorted set of their names, each with the
 * time until which its records can last, in milliseconds since 1970. Two applications with the same path would take each
 * other's records for their own, and answer deliveries as duplicates that they never ran. For one thread.
 */
final class PrefixUsers {
    private static final System.Logger LOG = System.getLogger(PrefixUsers.class.getName());

    private static final RedisCommand<Object> ZADD = new RedisCommand<>("ZADD");
    private static final RedisCommand<Object> ZREMRANGEBYSCORE = new RedisCommand<>("ZREMRANGEBYSCORE");
    private static final RedisCommand<Object> ZRANGE = new RedisCommand<>("ZRANGE");
    private static final RedisCommand<Object> PEXPIRE = new RedisCommand<>("PEXPIRE");

    private static final String KEY = "applications";

    /** More than any record lasts. */
    private static final double LONGEST_MILLIS = Duration.ofDays(5_000).toMillis();

    /** In calls: the first that is answered, and then one in five. */
    private static final int LOOK_EVERY = 5;

    private final PipelinedClient client;
    private final RedisStore.Application application;
    private final List<Pattern> meant;
    private final String key;
    private final Duration limit;
    private final InstantSource clock;
    private final RedisStore.Watcher watcher;

    private SortedSet<String> lastOthers = new TreeSet<>();
    private boolean lastHidden;
    private int waits;

    PrefixUsers(
            PipelinedClient client,
            RedisSettings settings,
            RedisStore.Application application,
            InstantSource clock,
            RedisStore.Watcher watcher) {
        this.client = client;
        this.application = application;
        this.meant = settings.sharedWith().stream().map(PrefixUsers::pattern).toList();
        this.key = settings.prefix() + KEY;
        this.limit = settings.timeout();
        this.clock = clock;
        this.watcher = watcher;
    }

    /** {@code *} matches any characters. */
    private static Pattern pattern(String name) {
        return Pattern.compile(
                Stream.of(name.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")), Pattern.DOTALL);
    }

    /**
     * Now and then enters this application, and calls the watcher when the other applications have changed.
     * To be called about once a second.
     */
    void tick() {
        if (waits == 0) {
            look();
            waits = LOOK_EVERY;
        }
        waits--;
    }

    private void look() {
        Deadline deadline = Deadline.in(limit);
        try {
            long now = clock.millis();
            long until = now + application.keysLast().toMillis();
            call(deadline, ZADD, until, application.name());
            call(deadline, ZREMRANGEBYSCORE, "-inf", now);
            List<?> users = (List<?>) call(deadline, ZRANGE, 0, -1, "WITHSCORES");
            reportHidden(false);
            reportOthers(users);
            double last = users.isEmpty() ? until : Double.parseDouble((String) users.get(users.size() - 1));
            call(deadline, PEXPIRE, (long) Math.min(last - now, LONGEST_MILLIS));
        } catch (NotPermittedException e) {
            reportHidden(true);
        } catch (StoreUnavailableException e) {
            LOG.log(Level.DEBUG, "the applications that use the prefix could not be read; it is tried again");
        }
    }

    /** This user may not read the applications. */
    private static final class NotPermittedException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private Object call(Deadline deadline, RedisCommand<?> command, Object... more) throws NotPermittedException {
        Object[] arguments = Stream.concat(Stream.of(key), Stream.of(more)).toArray();
        CommandReply answer =
                new RoutedCommand(client, KeyedCommand.repeatable(key, command, arguments), deadline).await();
        if (RedisExceptions.isForbidden(answer.failure())) {
            throw new NotPermittedException();
        }
        Object value = answer.orThrow();
        if (value == null) {
            throw new StoreUnavailableException("Redis answered nothing");
        }
        return value;
    }

    /** @param users names and scores in turn */
    private void reportOthers(List<?> users) {
        SortedSet<String> others = new TreeSet<>();
        for (int i = 0; i < users.size(); i += 2) {
            String name = (String) users.get(i);
            if (!name.equals(application.name())
                    && meant.stream().noneMatch(it -> it.matcher(name).matches())) {
                others.add(name);
            }
        }
        if (!others.equals(lastOthers)) {
            lastOthers = others;
            watcher.sharedWith(others);
        }
    }

    private void reportHidden(boolean is) {
        if (is != lastHidden) {
            lastHidden = is;
            watcher.hidden(RedisStore.Hidden.APPLICATIONS, is);
        }
    }
}
