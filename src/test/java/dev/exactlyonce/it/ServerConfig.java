package dev.exactlyonce.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** More configuration of a test server, read when it starts, and gone when this is closed. */
final class ServerConfig implements AutoCloseable {
    private final Path file;

    private ServerConfig(Path file) {
        this.file = file;
    }

    static ServerConfig add(String server, String elements) throws IOException {
        Path folder = Path.of(System.getProperty("liberty.home"), "usr/servers", server, "configDropins/overrides");
        Files.createDirectories(folder);
        return new ServerConfig(
                Files.writeString(folder.resolve("test.xml"), "<server>\n" + elements + "\n</server>\n"));
    }

    @Override
    public void close() throws IOException {
        Files.delete(file);
    }
}
