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
    private final Process process;

    private BenchServer(Path script, Process process) {
        this.script = script;
        this.process = process;
    }

    static BenchServer start(Path home, List<WebArchive> wars) throws IOException {
        Path dropins = home.resolve("usr/servers").resolve(NAME).resolve("dropins");
        Files.createDirectories(dropins);
        for (WebArchive war : wars) {
            war.as(ZipExporter.class).exportTo(dropins.resolve(war.getName()).toFile(), true);
        }
        Path script = home.resolve("bin/server");
        return new BenchServer(script, command(script, "run").start());
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

    @Override
    public void close() throws IOException, InterruptedException {
        command(script, "stop").start().waitFor();
        if (!process.waitFor(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
