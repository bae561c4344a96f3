package dev.exactlyonce.redis;

import dev.exactlyonce.common.OptionalClasses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where Redis is, and how long a caller waits for it. Knows nothing of Redisson, so that it can be read without it.
 *
 * @param server the one server; not looked at where there is a file
 * @param file a Redisson YAML, for Sentinel, Cluster or TLS with own certificates
 * @param prefix of every key; may be empty
 * @param timeout how long Redis may take to answer, 10 ms to 60 s; a whole operation takes at most 100 ms more
 * @param waitReplicas how many replicas must have a write before it counts, 0 to 16; 0 trusts the master alone
 * @param sharedWith other applications that use the prefix on purpose; {@code *} matches any characters
 */
public record RedisSettings(
        Server server,
        Optional<Path> file,
        String prefix,
        Duration timeout,
        int waitReplicas,
        List<String> sharedWith) {
    public static final String DEFAULT_PREFIX = "exactlyonce:";
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(500);
    public static final Duration LEAST_TIMEOUT = Duration.ofMillis(10);
    public static final Duration MOST_TIMEOUT = Duration.ofSeconds(60);
    public static final int MOST_REPLICAS = 16;

    public RedisSettings {
        if (timeout.compareTo(LEAST_TIMEOUT) < 0 || timeout.compareTo(MOST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout must be PT0.01S to PT60S, was " + timeout);
        }
        if (waitReplicas < 0 || waitReplicas > MOST_REPLICAS) {
            throw new IllegalArgumentException("wait-replicas must be 0 to 16, was " + waitReplicas);
        }
        sharedWith = List.copyOf(sharedWith);
    }

    /** Shared with no other application. */
    public RedisSettings(Server server, Optional<Path> file, String prefix, Duration timeout, int waitReplicas) {
        this(server, file, prefix, timeout, waitReplicas, List.of());
    }

    /** Whether Redisson is on the class path: an application that chooses this store adds it. */
    public static boolean isClientThere() {
        return OptionalClasses.isPresent("org.redisson.Redisson");
    }

    /** One Redis server. Its {@link #toString()} holds neither address nor password. */
    public record Server(
            boolean tls, String host, int port, int database, Optional<String> username, Optional<String> password) {
        public static final Server DEFAULT =
                new Server(false, "127.0.0.1", 6379, 0, Optional.empty(), Optional.empty());

        public Server {
            if (host.isBlank()) {
                throw new IllegalArgumentException("host must not be blank");
            }
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("port must be 1 to 65535, was " + port);
            }
            if (database < 0) {
                throw new IllegalArgumentException("database must be >= 0, was " + database);
            }
        }

        @Override
        public String toString() {
            return "a Redis server";
        }
    }
}
