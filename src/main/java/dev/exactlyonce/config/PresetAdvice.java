package dev.exactlyonce.config;

import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.config.PerSourceSettings.MissingKey;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.spi.SettingDefinition;
import java.time.Duration;
import java.util.Optional;

/** What is known of a sender and does not go with what is set for it. */
final class PresetAdvice {
    private final Preset preset;
    private final ConfigReader values;

    PresetAdvice(Preset preset, ConfigReader values) {
        this.preset = preset;
        this.values = values;
    }

    void give(Duration lease, FingerprintBy fingerprint) {
        preset.line(Preset.NOTE).ifPresent(it -> values.warning(PerSourceSettings.PRESET, it));
        if (preset.isSet(Preset.BODY_CHANGES) && fingerprint != FingerprintBy.NONE) {
            values.problem(
                    PerSourceSettings.FINGERPRINT,
                    preset.title() + " changes the body when it repeats a delivery; allowed: none");
        }
        if (preset.isSet(Preset.BODY_CHANGES)) {
            refuse(PerSourceSettings.DEDUP_BODY, true);
            refuse(PerSourceSettings.MISSING_KEY, MissingKey.BODY);
        }
        preset.duration(Preset.LAST_RETRY)
                .filter(it -> lease.compareTo(it) > 0)
                .ifPresent(last -> values.warning(
                        PerSourceSettings.LEASE,
                        lease + " is longer than " + preset.title() + " goes on repeating, " + last
                                + ": a delivery whose handler dies may not be sent again once its key is free"));
    }

    private <T> void refuse(SettingDefinition<T> setting, T basedOnTheBody) {
        if (values.findAllowed(setting).equals(Optional.of(basedOnTheBody))) {
            values.problem(setting, preset.title() + " changes the body when it repeats a delivery; remove it");
        }
    }
}
