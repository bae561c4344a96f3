package dev.exactlyonce.signature;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The secrets of one source: those of its settings, and the lines of its file as they are now. Thread-safe. */
public final class Secrets implements Supplier<List<String>> {
    private record SecretLines(List<String> ofTheFile, List<String> all) {}

    private final List<String> settings;
    private final Optional<SecretFile> file;
    private volatile @Nullable SecretLines joined;

    /** @param settings the current secret first */
    public Secrets(List<String> settings, Optional<SecretFile> file) {
        this.settings = List.copyOf(settings);
        this.file = file;
    }

    /** The same list as long as nothing has changed. */
    @Override
    public List<String> get() {
        if (file.isEmpty()) {
            return settings;
        }
        List<String> lines = file.get().get();
        SecretLines known = joined; // once: another thread may replace it
        if (known == null || known.ofTheFile() != lines) {
            List<String> all = new ArrayList<>(settings);
            all.addAll(lines);
            known = new SecretLines(lines, List.copyOf(all));
            joined = known;
        }
        return known.all();
    }

    @Override
    public String toString() {
        return "secrets";
    }
}
