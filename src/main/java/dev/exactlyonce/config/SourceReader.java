package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.Duplicates;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.config.PerSourceSettings.MissingKey;
import dev.exactlyonce.source.Challenge;
import dev.exactlyonce.source.EventFilter;
import dev.exactlyonce.source.Handshake;
import dev.exactlyonce.source.KeyExpressions;
import dev.exactlyonce.source.MessageFilters;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.SignedValues;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.spi.SettingType;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads one source: what is set for it, else what its preset says, else what is set for all. */
final class SourceReader {
    /** What is set for all sources. */
    record Defaults(Duration lease, Duration ttl, boolean strictTtl, OnOutage onOutage, int maxBodySize) {}

    private final ConfigReader all;
    private final Defaults defaults;
    private final InstantSource clock;

    SourceReader(ConfigReader all, Defaults defaults, InstantSource clock) {
        this.all = all;
        this.defaults = defaults;
        this.clock = clock;
    }

    SourceSettings read(String name) {
        Optional<Preset> preset = preset(name);
        ConfigReader values = all.of(name, preset.map(Preset::lines).orElse(Map.of()));
        if (preset.isEmpty() && values.isSet(PerSourceSettings.VERIFY_TOKEN)) {
            values.problem(PerSourceSettings.VERIFY_TOKEN, "counts beside a preset alone");
        }
        boolean bodyStandsIn = values.get(PerSourceSettings.MISSING_KEY) == MissingKey.BODY;
        KeyExpressions keys = KeyExpressions.parse(values.get(PerSourceSettings.KEY), bodyStandsIn);
        Duplicates duplicates = values.get(PerSourceSettings.DUPLICATE);
        SignatureReader signatures = new SignatureReader(values, name, clock);
        DeliveryVerifier verifier = signatures.read(preset);
        Duration lease = values.find(PerSourceSettings.LEASE).orElse(defaults.lease());
        Duration ttl = values.find(PerSourceSettings.TTL).orElse(defaults.ttl());
        SignedValues signed = signatures.signed(preset);
        if (keys.takeSignature() && !signed.isAny()) {
            values.problem(
                    PerSourceSettings.KEY,
                    "signature is in it, and nothing signs what this source sends; allowed without: header, query, path,"
                            + " form, json, body");
        }
        Optional<FingerprintBy> chosen = values.find(PerSourceSettings.FINGERPRINT);
        FingerprintBy fingerprint = chosen.orElse(FingerprintBy.NONE);
        preset.ifPresent(it -> new PresetAdvice(it, values).give(lease, fingerprint));
        values.find(PerSourceSettings.RETRY_WINDOW); // reports a malformed one
        new TtlAdvice(values, defaults.strictTtl()).give(ttl);
        return new SourceSettings(
                new SourcePolicy(
                        name,
                        keys,
                        verifier,
                        lease,
                        ttl,
                        values.find(PerSourceSettings.MAX_BODY_SIZE).orElse(defaults.maxBodySize()),
                        fingerprint,
                        values.get(PerSourceSettings.RECORD_ON),
                        values.find(PerSourceSettings.ON_OUTAGE).orElse(defaults.onOutage()),
                        duplicates,
                        values.get(PerSourceSettings.MODE)),
                values.get(PerSourceSettings.IN_FLIGHT_STATUS),
                bodyStandsIn,
                replayMaxSize(values, duplicates),
                MessageFilters.of(
                        preset.flatMap(it -> it.line(Preset.HANDSHAKE)).stream()
                                .flatMap(it -> Arrays.stream(it.split(",", -1)))
                                .map(SettingType.choice(Handshake.class)::parse)
                                .toList(),
                        signatures.handshakes(),
                        events(values)),
                values.get(PerSourceSettings.DEDUP_BODY),
                preset.flatMap(it -> challenge(it, values, signatures.signer())),
                values.get(PerSourceSettings.URL_VALIDATION),
                signed,
                chosen.isEmpty()
                        && !preset.filter(it -> it.isSet(Preset.BODY_CHANGES)).isPresent());
    }

    private static int replayMaxSize(ConfigReader values, Duplicates duplicates) {
        int problems = values.problems().size();
        int size = values.get(PerSourceSettings.REPLAY_MAX_SIZE);
        if (values.isSet(PerSourceSettings.REPLAY_MAX_SIZE)
                && duplicates != Duplicates.REPLAY
                && values.problems().size() == problems) {
            values.problem(PerSourceSettings.REPLAY_MAX_SIZE, "counts with duplicate=replay alone");
        }
        return size;
    }

    private static Optional<Challenge> challenge(Preset preset, ConfigReader values, UnaryOperator<String> sign) {
        Optional<Challenge.ChallengeKind> kind =
                preset.line(Preset.CHALLENGE).map(SettingType.choice(Challenge.ChallengeKind.class)::parse);
        Optional<String> token = values.secret(PerSourceSettings.VERIFY_TOKEN);
        if (token.isPresent() && !kind.equals(Optional.of(Challenge.ChallengeKind.META))) {
            values.problem(PerSourceSettings.VERIFY_TOKEN, preset.title() + " sends none; remove it");
        }
        if (token.filter(it -> it.isBlank() || !it.equals(it.strip())).isPresent()) {
            values.problem(PerSourceSettings.VERIFY_TOKEN, "is empty, or begins or ends with a blank");
        }
        if (kind.equals(Optional.of(Challenge.ChallengeKind.META)) && token.isEmpty()) {
            values.warning(
                    PerSourceSettings.VERIFY_TOKEN,
                    "not set, so " + preset.title() + " is not answered when it asks for the subscription");
        }
        return kind.flatMap(it -> it == Challenge.ChallengeKind.META
                ? token.map(text -> new Challenge(it, text, sign))
                : Optional.of(new Challenge(it, "", sign)));
    }

    private static Optional<EventFilter> events(ConfigReader values) {
        Optional<List<String>> expressions = values.find(PerSourceSettings.EVENT_KEY);
        Optional<Set<String>> wanted = values.find(PerSourceSettings.EVENTS);
        if (values.isSet(PerSourceSettings.EVENT_KEY) && !values.isSet(PerSourceSettings.EVENTS)) {
            values.problem(PerSourceSettings.EVENT_KEY, "counts beside events alone");
        }
        if (wanted.isPresent() && expressions.isEmpty()) {
            values.problem(
                    PerSourceSettings.EVENT_KEY,
                    "events needs it: where an event's name is, such as header:X-GitHub-Event");
        }
        return wanted.flatMap(names -> expressions.map(it -> EventFilter.of(names, it)));
    }

    private Optional<Preset> preset(String name) {
        return all.of(name, Map.of()).find(PerSourceSettings.PRESET);
    }
}
