package dev.exactlyonce.store.redis;

import static org.awaitility.Awaitility.await;

import dev.exactlyonce.redis.RedisSettings;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import redis.embedded.core.ExecutableProvider;

/**
 * A real Redis of this test's own, on a free port of the loopback interface. Nothing is left behind: neither its process
 * nor its folder outlives this JVM.
 */
public final class RedisProcess implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final Duration STARTS_WITHIN = Duration.ofSeconds(20);

    /** A node of a Cluster listens at its port + 10,000, too. */
    private static final int MOST_PORT = 55_000;

    private static final int MOST_ATTEMPTS = 5;

    private final Path folder;
    private final int port;
    private final List<String> arguments;
    private Process process;
    private RespClient client;

    private RedisProcess(Path folder, int port, List<String> arguments) {
        this.folder = folder;
        this.port = port;
        this.arguments = arguments;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /**
     * Starts a Redis that keeps nothing on disk.
     *
     * @param config lines of a redis.conf; they win over what is set here
     */
    public static RedisProcess start(String... config) {
        return start(List.of(), config);
    }

    /** A Sentinel instead of a server. */
    public static RedisProcess startSentinel(String... config) {
        return start(List.of("--sentinel"), config);
    }

    private static RedisProcess start(List<String> arguments, String... config) {
        for (int attempt = 1; ; attempt++) {
            RedisProcess redis = null;
            try {
                int port = freePort();
                Path folder = Files.createTempDirectory("redis");
                List<String> lines = new ArrayList<>(List.of("port " + port, "bind " + HOST, "dir " + folder));
                if (arguments.isEmpty()) {
                    lines.addAll(List.of("save \"\"", "appendonly no", "repl-diskless-sync-delay 0"));
                }
                lines.addAll(List.of(config));
                Files.write(folder.resolve("redis.conf"), lines);
                redis = new RedisProcess(folder, port, arguments);
                redis.restart();
                return redis;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (IllegalStateException | ConditionTimeoutException e) {
                redis.close();
                if (attempt == MOST_ATTEMPTS) { // else: another process took the port
                    throw e;
                }
            }
        }
    }

    private static int freePort() throws IOException {
        while (true) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (socket.getLocalPort() < MOST_PORT) {
                    return socket.getLocalPort();
                }
            }
        }
    }

    /** The program comes in a test dependency, and is unpacked once. */
    private static final class Program {
        private static final File FILE;

        static {
            try {
                FILE = ExecutableProvider.newJarResourceProvider().get();
                FILE.getParentFile().deleteOnExit();
                FILE.deleteOnExit();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Kills it when it runs, and starts it anew on the same port; empty, unless its configuration keeps what it has. */
    public synchronized void restart() {
        kill();
        List<String> command = new ArrayList<>(
                List.of(Program.FILE.getPath(), folder.resolve("redis.conf").toString()));
        command.addAll(arguments);
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        await("Redis answers")
                .pollInSameThread()
                .atMost(STARTS_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(this::answersOrHasEnded);
        if (!process.isAlive()) {
            throw new IllegalStateException("Redis ended at once: " + log());
        }
    }

    private boolean answersOrHasEnded() {
        if (!process.isAlive()) {
            return true;
        }
        try {
            return !command("PING").isEmpty();
        } catch (UncheckedIOException notYet) {
            return false;
        } catch (IllegalStateException refusal) {
            return !refusal.getMessage().startsWith("LOADING");
        }
    }

    public String host() {
        return HOST;
    }

    public int port() {
        return port;
    }

    public synchronized long pid() {
        return process.pid();
    }

    /** The settings of a store in this Redis. */
    public RedisSettings settings(Duration timeout) {
        return settings(port, timeout);
    }

    static RedisSettings settings(int port, Duration timeout) {
        RedisSettings.Server server =
                new RedisSettings.Server(false, HOST, port, 0, Optional.empty(), Optional.empty());
        return new RedisSettings(server, Optional.empty(), RedisSettings.DEFAULT_PREFIX, timeout, 0);
    }

    /** What the server wrote to its log since its last start. */
    public String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops it where it is: it accepts connections and commands, and answers none. */
    public void pause() {
        signal("STOP");
    }

    public void resume() {
        signal("CONT");
    }

    private synchronized void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As by kill -9. */
    public synchronized void kill() {
        disconnect();
        if (process != null) {
            process.destroyForcibly();
            try {
                process.waitFor(STARTS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Runs a command over a connection of its own.
     *
     * @return the answer as text: an array line by line, nothing as the empty string
     * @throws IllegalStateException when Redis refuses it
     */
    public synchronized String command(String... words) {
        try {
            if (client != null) {
                try {
                    return client.call(words);
                } catch (EOFException hungUp) { // as a server does to its clients when it becomes a master
                    disconnect();
                }
            }
            client = new RespClient(HOST, port);
            return client.call(words);
        } catch (IOException e) {
            disconnect();
            throw new UncheckedIOException(e);
        }
    }

    private void disconnect() {
        if (client != null) {
            client.close();
            client = null;
        }
    }

    @Override
    public synchronized void close() {
        kill();
        try (Stream<Path> files = Files.exists(folder) ? Files.walk(folder) : Stream.empty()) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
