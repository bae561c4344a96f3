package dev.exactlyonce.store.redis;

import dev.exactlyonce.redis.BackgroundThread;
import dev.exactlyonce.redis.ClientConfig;
import dev.exactlyonce.redis.Deadline;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.redis.client.CommandReply;
import dev.exactlyonce.redis.client.KeyedCommand;
import dev.exactlyonce.redis.client.PipelinedClient;
import dev.exactlyonce.redis.client.RoutedCommand;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.spi.StoredValue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.UUID;
import org.redisson.client.protocol.RedisCommand;

/**
 * Keeps the keys in Redis, for many replicas: one string at {@code {prefix}hookidem:{key}}, whose expiry is the lease or
 * the TTL. Thread-safe. A call takes at most the settings' timeout and 100 ms, even when Redis does not reply.
 */
public final class RedisStore implements IdempotencyStore {
    /** Receives what endangers the keys in Redis. */
    public interface Watcher {
        /** Redis was started anew, or another server became the master: recent claims may be lost. */
        void restarted();

        /** Whether a full Redis evicts keys instead of refusing writes; reported at every check. */
        void mayEvict(boolean may);

        /** Whether an ACL hides it from this user. Called when that changes; nothing is hidden at first. */
        void hidden(Hidden what, boolean is);

        /**
         * The applications that use the same prefix, without this one and those of {@link RedisSettings#sharedWith}. Called
         * when they change.
         */
        void sharedWith(SortedSet<String> applications);
    }

    /** What an ACL may hide. */
    public enum Hidden {
        /** Restarts and the eviction policy, which INFO shows. A restart that loses more than a second is still noticed. */
        RESTARTS,
        /** Which other applications use the prefix: ZADD, ZRANGE, ZREMRANGEBYSCORE. */
        APPLICATIONS
    }

    /**
     * Who uses the store.
     *
     * @param keysLast how long a key can stay after the application has written it
     */
    public record Application(String name, Duration keysLast) {
        private static final Duration LEAST = Duration.ofMinutes(1);

        public Application {
            keysLast = keysLast.compareTo(LEAST) < 0 ? LEAST : keysLast;
        }
    }

    private static final RedisCommand<Object> SET = new RedisCommand<>("SET");
    private static final String KEYS = "hookidem:";
    private static final String FENCES = "hookidem-fence:";
    private static final String MARKER = "hookidem-marker:";
    private static final String PROBE = "hookidem-probe";
    private static final Duration PROBE_STAYS = Duration.ofSeconds(10);

    /** What a call may take beyond the timeout, with as much again for a machine that is busy. */
    private static final Duration GRACE = Duration.ofMillis(50);

    /** Of a claim that ended while it was looked at: come again at once. */
    private static final Duration ALMOST_NOTHING = Duration.ofMillis(1);

    /** Reported for a claim without an expiry, which this store never writes. */
    private static final Duration NO_END = Duration.ofDays(1);

    private final RedisSettings settings;
    private final PipelinedClient client;
    private final MasterMonitor monitor;
    private final OwnerChecks checks;
    private final Duration limit;

    /**
     * Waits for nothing: a first connection is begun, and after a failure the next operation begins another. Enters the
     * application among those that use the prefix, and watches for others, as long as the store is open.
     */
    public RedisStore(RedisSettings settings, Watcher watcher, Application application) {
        this(settings, watcher, Optional.of(application), PipelinedClient.TICK);
    }

    /** The same without an application, for measurements and tests. */
    public RedisStore(RedisSettings settings, Watcher watcher) {
        this(settings, watcher, Optional.empty(), PipelinedClient.TICK);
    }

    RedisStore(RedisSettings settings, Watcher watcher, Optional<Application> application, Duration tick) {
        this.settings = settings;
        BackgroundThread background = new BackgroundThread("exactly-once-redis");
        Watcher safe = new SafeWatcher(watcher, background);
        String marker = settings.prefix() + MARKER + UUID.randomUUID();
        this.client = new PipelinedClient(settings, background, tick);
        this.monitor = new MasterMonitor(safe, master -> client.keyAt(master, marker));
        this.checks = new OwnerChecks(client, settings.waitReplicas());
        this.limit = settings.timeout().plus(GRACE);
        application
                .map(it -> new PrefixUsers(client, settings, it, InstantSource.system(), safe))
                .ifPresent(users -> client.repeat(users::tick));
        client.repeat(() -> monitor.tick(client.connections()));
        client.start(monitor::look);
    }

    /**
     * What is wrong with the configuration file, where there is one: never a word of what it holds. To be asked when the
     * client is there.
     */
    public static Optional<String> faultOf(RedisSettings settings) {
        return ClientConfig.faultOf(settings);
    }

    @Override
    public Reservation reserve(Claim claim) {
        String key = key(claim.key());
        String fenceKey = settings.prefix() + FENCES + "{" + key + "}"; // the key as hash tag: of its slot in a Cluster
        CheckResult found = checks.run(OwnerCheck.reserving(key, fenceKey, claim), Deadline.in(limit));
        if (found.done()) {
            return new Reservation.Granted(found.fence());
        }
        StoredValue other = found.other();
        return other == null
                ? new Reservation.AlreadyClaimed(Fingerprint.NONE, ALMOST_NOTHING)
                : refusal(other, found.left(claim.lease()));
    }

    private static Reservation refusal(StoredValue there, Duration left) {
        return there.isRecorded()
                ? new Reservation.AlreadyRecorded(there.fingerprint(), there.answer())
                : new Reservation.AlreadyClaimed(there.fingerprint(), left);
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        CheckResult found = checks.run(OwnerCheck.look(key(key)), Deadline.in(limit));
        return Optional.ofNullable(found.other()).map(it -> refusal(it, found.left(NO_END)));
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        CheckResult found = checks.run(OwnerCheck.recording(key(claim.key()), claim, answer, ttl), Deadline.in(limit));
        if (found.done()) {
            return new Recording.Written();
        }
        StoredValue other = Objects.requireNonNull(found.other()); // a record is not refused by nothing
        boolean running = !other.isRecorded();
        return new Recording.OwnedByAnother(running, running ? found.left(claim.lease()) : Duration.ZERO);
    }

    @Override
    public boolean release(Claim claim) {
        return checks.run(OwnerCheck.releasing(key(claim.key()), claim), Deadline.in(limit))
                .done();
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        List<OwnerCheck> renewals = claims.stream()
                .map(claim -> OwnerCheck.renewing(key(claim.key()), claim))
                .toList();
        return Renewal.requireAny(checks.run(renewals, Deadline.in(limit)).stream()
                .map(RedisStore::renewal)
                .toList());
    }

    private static Renewal renewal(CheckOutcome finding) {
        StoreUnavailableException failure = finding.failure();
        if (failure != null) {
            return new Renewal.Unanswered(failure);
        }
        return finding.orThrow().done() ? Renewal.HELD : Renewal.LOST;
    }

    @Override
    public void probe() {
        String key = settings.prefix() + PROBE;
        KeyedCommand set = KeyedCommand.repeatable(key, SET, key, "1", "PX", PROBE_STAYS.toMillis());
        CommandReply answer = new RoutedCommand(client, set, Deadline.in(limit)).await();
        if (answer.orThrow() == null) {
            throw new IllegalStateException("a SET without a condition was not done");
        }
        client.connections().forEach(monitor::look); // a server that changed without a new connection
    }

    private String key(DeliveryKey key) {
        return settings.prefix() + KEYS + key.value();
    }

    @Override
    public void close() {
        client.close();
    }
}
