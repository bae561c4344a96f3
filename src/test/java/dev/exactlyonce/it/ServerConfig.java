package dev.exactlyonce.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** More configuration of a test server, read when it starts, and gone when this is closed. */
final class ServerConfig implements AutoCloseable {
    private final Path file;
    private final Optional<String> before;

    private ServerConfig(Path file) throws IOException {
        this.file = file;
        this.before = Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    }

    static Path folder(String server) {
        return Path.of(System.getProperty("liberty.home"), "usr/servers", server);
    }

    static ServerConfig add(String server, String elements) throws IOException {
        Path folder = folder(server).resolve("configDropins/overrides");
        Files.createDirectories(folder);
        ServerConfig config = new ServerConfig(folder.resolve("test.xml"));
        Files.writeString(config.file, "<server>\n" + elements + "\n</server>\n");
        return config;
    }

    /** The same for a server that runs: it has read the configuration when this returns. */
    static ServerConfig addToRunning(String server, String elements) throws IOException {
        long before = updates(server);
        ServerConfig config = add(server, elements);
        await().atMost(Duration.ofSeconds(30)).until(() -> updates(server) > before);
        return config;
    }

    private static long updates(String server) throws IOException {
        try (Stream<String> lines = Files.lines(folder(server).resolve("logs/messages.log"))) {
            return lines.filter(it -> it.contains("CWWKG0017I")).count();
        }
    }

    /** Adds lines to a file that the server's start script reads: {@code server.env}, {@code jvm.options}. */
    static ServerConfig append(String server, String file, String... lines) throws IOException {
        ServerConfig config = new ServerConfig(folder(server).resolve(file));
        Files.writeString(config.file, config.before.orElse("") + "\n");
        Files.write(config.file, List.of(lines), StandardOpenOption.APPEND);
        return config;
    }

    @Override
    public void close() throws IOException {
        if (before.isPresent()) {
            Files.writeString(file, before.get());
        } else {
            Files.delete(file);
        }
    }
}
