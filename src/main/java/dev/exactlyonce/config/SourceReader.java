package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.Duplicates;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.source.KeyExpressions;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.SourceSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads one source: what is set for it, else what its preset says, else what is set for all. */
final class SourceReader {
    private static final int REPLAY_MAX_SIZE = 65_536;

    /** How long a record is kept for a sender that repeats this often. */
    private static final Map<String, Duration> CADENCES =
            Map.of("sub-minute", Duration.ofHours(24), "sub-hour", Duration.ofDays(7), "daily", Duration.ofDays(30));

    /** What is set for all sources. */
    record Defaults(Duration lease, Duration ttl, OnOutage onOutage, int maxBodySize) {}

    private enum MissingKey {
        REJECT,
        BODY
    }

    private final Values all;
    private final Defaults defaults;
    private final InstantSource clock;

    SourceReader(Values all, Defaults defaults, InstantSource clock) {
        this.all = all;
        this.defaults = defaults;
        this.clock = clock;
    }

    static Duration ttl(Values values, Setting setting, Duration fallback) {
        Optional<Duration> cadence = values.text(setting).flatMap(text -> Optional.ofNullable(CADENCES.get(text)));
        return cadence.orElseGet(() -> values.duration(setting, fallback, SourcePolicy.SHORTEST, SourcePolicy.MAX_TTL));
    }

    SourceSettings read(String name) {
        Optional<Preset> preset = preset(name);
        Values values = all.of(name, preset.map(Preset::lines).orElse(Map.of()));
        boolean bodyStandsIn = values.choice(Setting.SOURCE_MISSING_KEY, MissingKey.REJECT) == MissingKey.BODY;
        KeyExpressions keys = values.read(
                Setting.SOURCE_KEY,
                KeyExpressions.parse(KeyExpressions.DEFAULT, bodyStandsIn),
                text -> KeyExpressions.parse(List.of(text.split("\\s+")), bodyStandsIn));
        int inFlightStatus = values.read(Setting.SOURCE_IN_FLIGHT_STATUS, 409, text -> switch (text) {
            case "409", "425", "503" -> Integer.parseInt(text);
            default -> throw Values.notAllowed(text, Setting.SOURCE_IN_FLIGHT_STATUS.allowed());
        });
        DeliveryVerifier verifier = new SignatureReader(values, name, clock).read(preset);
        Duration lease =
                values.duration(Setting.SOURCE_LEASE, defaults.lease(), SourcePolicy.SHORTEST, SourcePolicy.MAX_LEASE);
        Duration ttl = ttl(values, Setting.SOURCE_TTL, defaults.ttl());
        preset.ifPresent(it -> warn(it, values, lease, ttl));
        return new SourceSettings(
                new SourcePolicy(
                        name,
                        keys,
                        verifier,
                        lease,
                        ttl,
                        values.integer(
                                Setting.SOURCE_MAX_BODY_SIZE, defaults.maxBodySize(), SourcePolicy.MAX_BODY_SIZE),
                        values.choice(Setting.SOURCE_FINGERPRINT, FingerprintBy.NONE),
                        values.choice(Setting.SOURCE_RECORD_ON, RecordOn.SUCCESS),
                        values.choice(Setting.SOURCE_ON_OUTAGE, defaults.onOutage()),
                        values.choice(Setting.SOURCE_DUPLICATE, Duplicates.ACK)),
                inFlightStatus,
                bodyStandsIn,
                values.integer(Setting.SOURCE_REPLAY_MAX_SIZE, REPLAY_MAX_SIZE, SourceSettings.MAX_REPLAY_SIZE));
    }

    /** What does not go with the sender's retries. */
    private static void warn(Preset preset, Values values, Duration lease, Duration ttl) {
        preset.duration(Preset.LAST_RETRY)
                .filter(it -> lease.compareTo(it) > 0)
                .ifPresent(last -> values.warning(
                        Setting.SOURCE_LEASE,
                        lease + " is longer than " + preset.title() + " goes on repeating, " + last
                                + ": a delivery whose handler dies may not be sent again once its key is free"));
        preset.duration(Preset.RETRY_WINDOW)
                .filter(it -> ttl.compareTo(it.multipliedBy(2)) < 0)
                .ifPresent(window -> values.warning(
                        Setting.SOURCE_TTL,
                        ttl + " is less than twice the " + window + " within which " + preset.title()
                                + " may repeat a delivery: a late copy may run again"));
    }

    private Optional<Preset> preset(String name) {
        return all.of(name, Map.of())
                .read(
                        Setting.SOURCE_PRESET,
                        Optional.empty(),
                        text -> Optional.of(Preset.find(text)
                                .orElseThrow(() -> Values.notAllowed(text, String.join(", ", Preset.NAMES)))));
    }
}
