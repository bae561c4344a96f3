package dev.exactlyonce.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The Open Liberty server {@code bench}, as a process of ours. */
final class BenchServer implements AutoCloseable {
    private static final String NAME = "bench";
    private static final Duration LONGEST_START = Duration.ofSeconds(120);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(60);

    private final Path script;
    private final Path log;
    private final Process process;

    private BenchServer(Path script, Path log, Process process) {
        this.script = script;
        this.log = log;
        this.process = process;
    }

    static BenchServer start(Path home, List<WebArchive> wars) throws IOException {
        Path server = home.resolve("usr/servers").resolve(NAME);
        Path dropins = server.resolve("dropins");
        Files.createDirectories(dropins);
        for (WebArchive war : wars) {
            war.as(ZipExporter.class).exportTo(dropins.resolve(war.getName()).toFile(), true);
        }
        Path script = home.resolve("bin/server");
        return new BenchServer(
                script,
                server.resolve("logs/messages.log"),
                command(script, "run").start());
    }

    private static ProcessBuilder command(Path script, String action) {
        File log = new File("target/bench-server.log");
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString(), action, NAME)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    /** Waits until a request to each of these paths is answered with a 200. */
    void await(int port, List<String> paths) throws InterruptedException {
        long end = System.nanoTime() + LONGEST_START.toNanos();
        for (String path : paths) {
            while (!isThere(port, path)) {
                if (!process.isAlive() || System.nanoTime() - end > 0) {
                    throw new IllegalStateException("no " + path + "; the server's log says why");
                }
                Thread.sleep(200);
            }
        }
    }

    private static boolean isThere(int port, String path) {
        try (Connection connection = new Connection(port)) {
            return connection.send(new Post(path).numbered(0)).status() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Fails when a fallback took what was meant for the store that is measured: it would be asked first from then on. */
    void requireNoFallback() throws IOException {
        if (Files.readString(log).contains("running per-replica")) {
            throw new IllegalStateException("a store was away at the start; its numbers would not be its own");
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        command(script, "stop").start().waitFor();
        if (!process.waitFor(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
