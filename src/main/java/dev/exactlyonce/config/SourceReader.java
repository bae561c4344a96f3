package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.Duplicates;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.source.Challenge;
import dev.exactlyonce.source.EventFilter;
import dev.exactlyonce.source.Handshake;
import dev.exactlyonce.source.KeyExpressions;
import dev.exactlyonce.source.MessageFilters;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.SignedValues;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.UrlValidation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads one source: what is set for it, else what its preset says, else what is set for all. */
final class SourceReader {
    /** Without what separates or stands for several, and without a dot at an end. */
    private static final Pattern EVENT = Pattern.compile("[^\\s*|.]+(\\.[^\\s*|.]+)*");

    private static final int REPLAY_MAX_SIZE = 65_536;

    /** What is set for all sources. */
    record Defaults(Duration lease, Duration ttl, boolean strictTtl, OnOutage onOutage, int maxBodySize) {}

    private enum MissingKey {
        REJECT,
        BODY
    }

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
        if (preset.isEmpty() && values.isSet(Setting.SOURCE_VERIFY_TOKEN)) {
            values.problem(Setting.SOURCE_VERIFY_TOKEN, "counts beside a preset alone");
        }
        boolean bodyStandsIn = values.choice(Setting.SOURCE_MISSING_KEY, MissingKey.REJECT) == MissingKey.BODY;
        KeyExpressions keys = values.read(
                Setting.SOURCE_KEY,
                KeyExpressions.parse(KeyExpressions.DEFAULT, bodyStandsIn),
                text -> KeyExpressions.parse(List.of(text.split("\\s+")), bodyStandsIn));
        int inFlightStatus = values.read(Setting.SOURCE_IN_FLIGHT_STATUS, 409, text -> switch (text) {
            case "409", "425", "503" -> Integer.parseInt(text);
            default -> throw ConfigReader.notAllowed(text, Setting.SOURCE_IN_FLIGHT_STATUS.allowed());
        });
        Duplicates duplicates = values.choice(Setting.SOURCE_DUPLICATE, Duplicates.ACK);
        SignatureReader signatures = new SignatureReader(values, name, clock);
        DeliveryVerifier verifier = signatures.read(preset);
        Duration lease = values.read(Setting.SOURCE_LEASE, defaults.lease(), GlobalSettings.LEASE::parse);
        Duration ttl = values.read(Setting.SOURCE_TTL, defaults.ttl(), GlobalSettings.TTL::parse);
        SignedValues signed = signatures.signed(preset);
        if (keys.takeSignature() && !signed.isAny()) {
            values.problem(
                    Setting.SOURCE_KEY,
                    "signature is in it, and nothing signs what this source sends; allowed without: header, query, path,"
                            + " form, json, body");
        }
        Optional<FingerprintBy> chosen = values.read(
                Setting.SOURCE_FINGERPRINT,
                Optional.empty(),
                text -> Optional.of(ConfigReader.oneOf(FingerprintBy.values(), text)));
        FingerprintBy fingerprint = chosen.orElse(FingerprintBy.NONE);
        preset.ifPresent(it -> new PresetAdvice(it, values).give(lease, fingerprint));
        values.duration(Setting.SOURCE_RETRY_WINDOW, Duration.ZERO, Duration.ZERO, SourcePolicy.MAX_TTL);
        new TtlAdvice(values, defaults.strictTtl()).give(ttl);
        return new SourceSettings(
                new SourcePolicy(
                        name,
                        keys,
                        verifier,
                        lease,
                        ttl,
                        values.integer(
                                Setting.SOURCE_MAX_BODY_SIZE, defaults.maxBodySize(), SourcePolicy.MAX_BODY_SIZE),
                        fingerprint,
                        values.choice(Setting.SOURCE_RECORD_ON, RecordOn.SUCCESS),
                        values.choice(Setting.SOURCE_ON_OUTAGE, defaults.onOutage()),
                        duplicates),
                inFlightStatus,
                bodyStandsIn,
                replayMaxSize(values, duplicates),
                MessageFilters.of(
                        preset.flatMap(it -> it.line(Preset.HANDSHAKE)).stream()
                                .flatMap(it -> Arrays.stream(it.split(",", -1)))
                                .map(it -> ConfigReader.oneOf(Handshake.values(), it))
                                .toList(),
                        signatures.handshakes(),
                        events(values)),
                values.bool(Setting.SOURCE_DEDUP_BODY, false),
                preset.flatMap(it -> challenge(it, values, signatures.signer())),
                values.choice(Setting.SOURCE_URL_VALIDATION, UrlValidation.HEAD),
                signed,
                chosen.isEmpty()
                        && !preset.filter(it -> it.isSet(Preset.BODY_CHANGES)).isPresent());
    }

    private static int replayMaxSize(ConfigReader values, Duplicates duplicates) {
        int problems = values.problems().size();
        int size = values.integer(Setting.SOURCE_REPLAY_MAX_SIZE, REPLAY_MAX_SIZE, SourceSettings.MAX_REPLAY_SIZE);
        if (values.isSet(Setting.SOURCE_REPLAY_MAX_SIZE)
                && duplicates != Duplicates.REPLAY
                && values.problems().size() == problems) {
            values.problem(Setting.SOURCE_REPLAY_MAX_SIZE, "counts with duplicate=replay alone");
        }
        return size;
    }

    private static Optional<Challenge> challenge(Preset preset, ConfigReader values, UnaryOperator<String> sign) {
        Optional<Challenge.ChallengeKind> kind =
                preset.line(Preset.CHALLENGE).map(it -> ConfigReader.oneOf(Challenge.ChallengeKind.values(), it));
        Optional<String> token = values.secret(Setting.SOURCE_VERIFY_TOKEN);
        if (token.isPresent() && !kind.equals(Optional.of(Challenge.ChallengeKind.META))) {
            values.problem(Setting.SOURCE_VERIFY_TOKEN, preset.title() + " sends none; remove it");
        }
        if (token.filter(it -> it.isBlank() || !it.equals(it.strip())).isPresent()) {
            values.problem(Setting.SOURCE_VERIFY_TOKEN, "is empty, or begins or ends with a blank");
        }
        if (kind.equals(Optional.of(Challenge.ChallengeKind.META)) && token.isEmpty()) {
            values.warning(
                    Setting.SOURCE_VERIFY_TOKEN,
                    "not set, so " + preset.title() + " is not answered when it asks for the subscription");
        }
        return kind.flatMap(it -> it == Challenge.ChallengeKind.META
                ? token.map(text -> new Challenge(it, text, sign))
                : Optional.of(new Challenge(it, "", sign)));
    }

    private static Optional<EventFilter> events(ConfigReader values) {
        Optional<List<String>> expressions = values.read(Setting.SOURCE_EVENT_KEY, Optional.empty(), text -> {
            List<String> parts = List.of(text.split("\\s+"));
            EventFilter.of(Set.of(), parts);
            return Optional.of(parts);
        });
        Optional<Set<String>> wanted = values.read(Setting.SOURCE_EVENTS, Optional.empty(), text -> {
            Set<String> names =
                    Arrays.stream(text.split(",", -1)).map(String::strip).collect(Collectors.toSet());
            if (!names.stream().allMatch(it -> EVENT.matcher(it).matches())) {
                throw ConfigReader.notAllowed(text, Setting.SOURCE_EVENTS.allowed()); // it would match no event
            }
            return Optional.of(names);
        });
        if (values.isSet(Setting.SOURCE_EVENT_KEY) && !values.isSet(Setting.SOURCE_EVENTS)) {
            values.problem(Setting.SOURCE_EVENT_KEY, "counts beside events alone");
        }
        if (wanted.isPresent() && expressions.isEmpty()) {
            values.problem(
                    Setting.SOURCE_EVENT_KEY,
                    "events needs it: where an event's name is, such as header:X-GitHub-Event");
        }
        return wanted.flatMap(names -> expressions.map(it -> EventFilter.of(names, it)));
    }

    private Optional<Preset> preset(String name) {
        return all.of(name, Map.of())
                .read(
                        Setting.SOURCE_PRESET,
                        Optional.empty(),
                        text -> Optional.of(Preset.find(text)
                                .orElseThrow(() -> ConfigReader.notAllowed(text, String.join(", ", Preset.NAMES)))));
    }
}
