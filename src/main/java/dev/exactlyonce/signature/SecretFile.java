package dev.exactlyonce.signature;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Secrets in a file, one a line, blank lines not counted: read again when the file changes, as a mounted secret does while
 * the server runs. While it cannot be read, the secrets stay as they were. Thread-safe.
 */
public final class SecretFile implements Supplier<List<String>> {
    private static final System.Logger LOG = System.getLogger(SecretFile.class.getName());
    private static final long MOST_BYTES = 65_536;

    /** Identifies one content of the file. */
    private record Version(
            FileTime changed, long size, @Nullable Object file) {}

    private record Content(Version version, List<String> secrets) {}

    private final Path path;
    private volatile Content content;
    private volatile boolean isReadable = true;

    /** @throws IllegalArgumentException when it cannot be read or holds no secret; names no path */
    public SecretFile(Path path) {
        this.path = path;
        try {
            this.content = read(version());
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("the file does not exist or cannot be read");
        }
    }

    @Override
    public List<String> get() {
        Content known = content; // once: another thread may replace it
        try {
            Version now = version();
            if (!now.equals(known.version())) {
                known = read(now);
                content = known;
            }
            isReadable = true;
        } catch (IOException | IllegalArgumentException unreadable) {
            if (isReadable) {
                isReadable = false;
                LOG.log(Level.ERROR, "EXON0405 a secret file cannot be read any more, or is empty; its secrets stay");
            }
        }
        return known.secrets();
    }

    private Version version() throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return new Version(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }

    private Content read(Version version) throws IOException {
        if (version.size() > MOST_BYTES) {
            throw new IllegalArgumentException("the file is larger than " + MOST_BYTES + " bytes");
        }
        List<String> secrets;
        try {
            secrets = Files.readAllLines(path).stream()
                    .filter(it -> !it.isBlank())
                    .toList();
        } catch (CharacterCodingException notText) {
            throw new IllegalArgumentException("the file is not UTF-8");
        }
        if (secrets.stream().anyMatch(it -> it.startsWith("#"))) {
            throw new IllegalArgumentException(
                    "a line begins with '#'; every line is a secret, and there are no comments");
        }
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("the file holds no secret");
        }
        return new Content(version, secrets);
    }
}
