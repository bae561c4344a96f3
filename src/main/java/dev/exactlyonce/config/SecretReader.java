package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.signature.SecretFile;
import dev.exactlyonce.signature.Secrets;
import dev.exactlyonce.source.Preset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the secrets of one source. No message holds a word of a secret. */
final class SecretReader {
    private final ConfigReader values;
    private @Nullable Secrets read;

    SecretReader(ConfigReader values) {
        this.values = values;
    }

    /**
     * Each secret is tried for itself, so that a fault names the setting that has it.
     *
     * @param maker throws an IllegalArgumentException that says what is wrong with a secret
     */
    DeliveryVerifier verifier(Preset preset, Function<Secrets, DeliveryVerifier> maker) {
        int problems = values.problems().size();
        List<String> secrets = new ArrayList<>();
        for (Setting setting : List.of(Setting.SOURCE_SECRET, Setting.SOURCE_SECRET_PREVIOUS)) {
            Optional<String> secret = values.secret(setting);
            secret.filter(it -> isSound(setting, maker, new Secrets(List.of(it), Optional.empty())))
                    .ifPresent(secrets::add);
        }
        Optional<SecretFile> file = values.read(
                Setting.SOURCE_SECRET_FILE, Optional.empty(), text -> Optional.of(new SecretFile(path(text))));
        if (file.isPresent() && !isSound(Setting.SOURCE_SECRET_FILE, maker, new Secrets(List.of(), file))) {
            return DeliveryVerifier.NONE;
        }
        if (secrets.isEmpty() && file.isEmpty()) {
            if (values.problems().size() == problems) {
                values.problem(
                        Setting.SOURCE_SECRET,
                        "the preset " + preset.name() + " needs it, or secret-file: "
                                + preset.line(Preset.SECRET_IS).orElse("the sender's secret"));
            }
            return DeliveryVerifier.NONE;
        }
        read = new Secrets(secrets, file);
        return maker.apply(read);
    }

    /** The secrets, after a verifier was made of them. */
    Secrets read() {
        return Objects.requireNonNull(read, "a source without a secret");
    }

    private boolean isSound(Setting setting, Function<Secrets, DeliveryVerifier> maker, Secrets secrets) {
        try {
            return maker.apply(secrets) != null;
        } catch (IllegalArgumentException fault) {
            values.problem(setting, String.valueOf(fault.getMessage()));
            return false;
        }
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("is not a valid path on this system");
        }
    }
}
