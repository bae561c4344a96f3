package dev.exactlyonce.redis;

import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ConfigSupport;
import org.redisson.config.ConstantDelay;
import org.redisson.config.MasterSlaveServersConfig;
import org.redisson.config.Protocol;
import org.redisson.config.ReadMode;
import org.redisson.config.ReplicatedServersConfig;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;
import org.redisson.config.SubscriptionMode;
import org.redisson.misc.RedisURI;

/** Redisson's configuration: addresses from the settings or the user's file, everything else as this module needs it. */
public final class ClientConfig {
    private static final int NETTY_THREADS = 4;
    private static final int THREADS = 2;

    /** TLS and a login take longer than a command; no caller waits for longer than its own timeout. */
    private static final int LEAST_CONNECT_MILLIS = 2_000;

    private static final Duration RETRY_DELAY = Duration.ofMillis(100);

    /** Commands go over links of our own; the pool serves where scripts are forbidden. */
    private static final int POOL = 16;

    private static final String OF_THE_FINALIZER =
            "io.netty.util.concurrent.ConcurrentSkipListIntObjMultimap$EntryIterator";

    private static final int MOST_CAUSES = 10;
    private static final Pattern LINE = Pattern.compile("line:? (\\d+)");

    static {
        NettyLoggers.install(); // before any other class of Netty is there
        loadForFinalizer();
    }

    private ClientConfig() {}

    public static Config of(RedisSettings settings) throws IOException {
        Config config = settings.file().isPresent()
                ? Config.fromYAML(settings.file().get().toFile())
                : single(settings.server());
        config.setNettyThreads(NETTY_THREADS);
        config.setThreads(THREADS);
        config.setCodec(StringCodec.INSTANCE); // else an unneeded codec is loaded
        config.setReferenceEnabled(false);
        config.setProtocol(Protocol.RESP2); // what answers look like is known of this one
        config.setLazyInitialization(true); // RedisConnector connects it
        force(ConfigSupport.getConfig(config), (int) settings.timeout().toMillis());
        return config;
    }

    /**
     * Netty's buffer allocator frees its memory in a finalizer, which runs when the application and its JARs are gone. A
     * class that it needs only then could not be loaded any more, and the server would log an error.
     */
    private static void loadForFinalizer() {
        try {
            Class.forName(OF_THE_FINALIZER, true, ByteBufAllocator.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError otherVersion) {
            // another version of Netty, which has no such class to miss
        }
    }

    private static Config single(RedisSettings.Server server) {
        Config config = new Config();
        SingleServerConfig single = config.useSingleServer();
        String host = server.host().contains(":") && !server.host().startsWith("[")
                ? "[" + server.host() + "]"
                : server.host();
        single.setAddress((server.tls() ? "rediss://" : "redis://") + host + ":" + server.port());
        single.setDatabase(server.database());
        server.username().ifPresent(config::setUsername);
        server.password().ifPresent(config::setPassword);
        return config;
    }

    private static void force(BaseConfig<?> servers, int timeoutMillis) {
        servers.setTimeout(timeoutMillis);
        servers.setConnectTimeout(Math.max(timeoutMillis, LEAST_CONNECT_MILLIS));
        servers.setRetryAttempts(1);
        servers.setRetryDelay(new ConstantDelay(RETRY_DELAY));
        if (servers instanceof SingleServerConfig single) {
            single.setConnectionMinimumIdleSize(1);
            single.setConnectionPoolSize(POOL);
            single.setSubscriptionConnectionMinimumIdleSize(0);
            single.setSubscriptionConnectionPoolSize(1);
        } else if (servers instanceof BaseMasterSlaveServersConfig<?> several) {
            several.setReadMode(ReadMode.MASTER); // a replica may not know yet of a claim or a record
            several.setSubscriptionMode(SubscriptionMode.MASTER);
            several.setMasterConnectionMinimumIdleSize(1);
            several.setMasterConnectionPoolSize(POOL);
            several.setSlaveConnectionMinimumIdleSize(0);
            several.setSlaveConnectionPoolSize(POOL);
            several.setSubscriptionConnectionMinimumIdleSize(0);
            several.setSubscriptionConnectionPoolSize(1);
        }
    }

    /** What is wrong with the file, without a word of what it holds. */
    public static Optional<String> faultOf(RedisSettings settings) {
        if (settings.file().isEmpty()) {
            return Optional.empty();
        }
        Path file = settings.file().get();
        if (!Files.exists(file)) {
            return Optional.of("the file does not exist");
        }
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            return Optional.of("the file cannot be read");
        }
        try {
            addresses(ConfigSupport.getConfig(of(settings))).forEach(RedisURI::new);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("the file cannot be read");
        } catch (RuntimeException e) {
            return Optional.of("the file is not valid Redisson YAML" + lineOf(e));
        }
    }

    /** The addresses of the servers: Redisson itself checks them when it connects. */
    private static List<String> addresses(BaseConfig<?> servers) {
        List<String> addresses = new ArrayList<>();
        if (servers instanceof SingleServerConfig single) {
            addresses.add(single.getAddress());
        } else if (servers instanceof SentinelServersConfig sentinels) {
            if (sentinels.getMasterName() == null) {
                throw new IllegalArgumentException("no master");
            }
            addresses.addAll(sentinels.getSentinelAddresses());
        } else if (servers instanceof ClusterServersConfig cluster) {
            addresses.addAll(cluster.getNodeAddresses());
        } else if (servers instanceof ReplicatedServersConfig replicated) {
            addresses.addAll(replicated.getNodeAddresses());
        } else if (servers instanceof MasterSlaveServersConfig masterAndSlaves) {
            addresses.add(masterAndSlaves.getMasterAddress());
        }
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("no address");
        }
        return addresses;
    }

    /** The parser's own text quotes the file, so nothing but the number is taken from it. */
    private static String lineOf(Throwable failure) {
        Throwable it = failure;
        for (int i = 0; i < MOST_CAUSES && it != null; i++, it = it.getCause()) {
            Matcher line = LINE.matcher(String.valueOf(it.getMessage()));
            if (line.find()) {
                return ", see line " + line.group(1);
            }
        }
        return "";
    }
}
