package dev.exactlyonce.config;

import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.source.Preset;
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
        preset.line(Preset.NOTE).ifPresent(it -> values.warning(Setting.SOURCE_PRESET, it));
        if (preset.isSet(Preset.BODY_CHANGES) && fingerprint != FingerprintBy.NONE) {
            values.problem(
                    Setting.SOURCE_FINGERPRINT,
                    preset.title() + " changes the body when it repeats a delivery; allowed: none");
        }
        if (preset.isSet(Preset.BODY_CHANGES)) {
            refuse(
                    Setting.SOURCE_DEDUP_BODY,
                    values.text(Setting.SOURCE_DEDUP_BODY).equals(Optional.of("true")));
            refuse(
                    Setting.SOURCE_MISSING_KEY,
                    values.text(Setting.SOURCE_MISSING_KEY).equals(Optional.of("body")));
        }
        preset.duration(Preset.LAST_RETRY)
                .filter(it -> lease.compareTo(it) > 0)
                .ifPresent(last -> values.warning(
                        Setting.SOURCE_LEASE,
                        lease + " is longer than " + preset.title() + " goes on repeating, " + last
                                + ": a delivery whose handler dies may not be sent again once its key is free"));
    }

    private void refuse(Setting setting, boolean asksForTheBody) {
        if (asksForTheBody) {
            values.problem(setting, preset.title() + " changes the body when it repeats a delivery; remove it");
        }
    }
}
