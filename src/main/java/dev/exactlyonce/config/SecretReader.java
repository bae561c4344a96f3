package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.signature.SecretFile;
import dev.exactlyonce.signature.Secrets;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.spi.SettingDefinition;
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
        for (SettingDefinition<String> setting : List.of(SignatureSettings.SECRET, SignatureSettings.SECRET_PREVIOUS)) {
            Optional<String> secret = values.secret(setting);
            secret.filter(it -> isSound(setting, maker, new Secrets(List.of(it), Optional.empty())))
                    .ifPresent(secrets::add);
        }
        Optional<SecretFile> file = values.find(SignatureSettings.SECRET_FILE);
        if (file.isPresent() && !isSound(SignatureSettings.SECRET_FILE, maker, new Secrets(List.of(), file))) {
            return DeliveryVerifier.NONE;
        }
        if (secrets.isEmpty() && file.isEmpty()) {
            if (values.problems().size() == problems) {
                values.problem(
                        SignatureSettings.SECRET,
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

    private boolean isSound(SettingDefinition<?> setting, Function<Secrets, DeliveryVerifier> maker, Secrets secrets) {
        try {
            return maker.apply(secrets) != null;
        } catch (IllegalArgumentException fault) {
            values.problem(setting, String.valueOf(fault.getMessage()));
            return false;
        }
    }
}
