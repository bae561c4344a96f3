package dev.exactlyonce.config;

import dev.exactlyonce.Mode;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.Duplicates;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.sender.Forwarding;
import dev.exactlyonce.source.EventFilter;
import dev.exactlyonce.source.KeyExpressions;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.UrlValidation;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings of one source, whose signature has {@link SignatureSettings its own}. */
final class PerSourceSettings {
    enum MissingKey {
        REJECT,
        BODY
    }

    /** Without what separates names or stands for several, and without a dot at an end. */
    private static final Pattern EVENT = Pattern.compile("[^\\s*|.]+(\\.[^\\s*|.]+)*");

    private static final Set<String> IN_FLIGHT_STATUSES = Set.of("409", "425", "503");

    static final SettingDefinition<List<String>> KEY = SettingDefinition.of(
            SettingScope.ofSource("key"),
            expressions(it -> KeyExpressions.parse(it, false)),
            KeyExpressions.DEFAULT,
            "Where the parts of the idempotency key are in a delivery.");

    static final SettingDefinition<Duration> LEASE = SettingDefinition.optional(
                    SettingScope.ofSource("lease"), GlobalSettings.LEASE.type(), "This source's lease.")
            .withDocumentedDefault("`exactlyonce.lease`");

    static final SettingDefinition<Duration> TTL = SettingDefinition.optional(
                    SettingScope.ofSource("ttl"), GlobalSettings.TTL.type(), "This source's TTL.")
            .withDocumentedDefault("`exactlyonce.ttl`");

    static final SettingDefinition<Duration> RETRY_WINDOW = SettingDefinition.optional(
                    SettingScope.ofSource("retry-window"),
                    SettingType.duration(Duration.ZERO, SourcePolicy.MAX_TTL),
                    "How long the provider retries a delivery. A TTL shorter than twice this time causes a warning.")
            .withDocumentedDefault("the preset's");

    static final SettingDefinition<OnOutage> ON_OUTAGE = SettingDefinition.optional(
                    SettingScope.ofSource("on-outage"),
                    GlobalSettings.ON_OUTAGE.type(),
                    "What happens to this source's deliveries during an outage of the store.")
            .withDocumentedDefault("`exactlyonce.on-outage`");

    static final SettingDefinition<Integer> MAX_BODY_SIZE = SettingDefinition.optional(
                    SettingScope.ofSource("max-body-size"),
                    GlobalSettings.MAX_BODY_SIZE.type(),
                    "This source's largest body, in bytes.")
            .withDocumentedDefault("`exactlyonce.max-body-size`");

    static final SettingDefinition<MissingKey> MISSING_KEY = SettingDefinition.of(
            SettingScope.ofSource("missing-key"),
            SettingType.choice(MissingKey.class),
            MissingKey.REJECT,
            "Without a key: answer 400, or use the SHA-256 of the body. Distinct events can have identical bodies.");

    static final SettingDefinition<FingerprintBy> FINGERPRINT = SettingDefinition.optional(
                    SettingScope.ofSource("fingerprint"),
                    SettingType.choice(FingerprintBy.class),
                    "A known key with a different body is a duplicate; or gets a 422; or is a separate delivery, which runs and"
                            + " is logged.")
            .withDocumentedDefault("`none`; `separate` for an id that is not signed");

    static final SettingDefinition<Boolean> DEDUP_BODY = SettingDefinition.of(
            SettingScope.ofSource("dedup-body"),
            SettingType.bool(),
            false,
            "Whether the body must be new, too: prevents replays of a captured request under a new id. Distinct events can"
                    + " have identical bodies.");

    static final SettingDefinition<RecordOn> RECORD_ON = SettingDefinition.of(
            SettingScope.ofSource("record-on"),
            SettingType.choice(RecordOn.class),
            RecordOn.SUCCESS,
            "Which outcomes are recorded: a 2xx; also a 4xx; also a 3xx, 5xx and exceptions.");

    static final SettingDefinition<Mode> MODE = SettingDefinition.of(
            SettingScope.ofSource("mode"),
            SettingType.choice(new Mode[] {Mode.INLINE, Mode.INBOX, Mode.TRANSACTIONAL}),
            Mode.INLINE,
            "When the work is done: within the request; after the delivery was stored and answered 202; within the request and"
                    + " the transaction that writes the record.");

    static final SettingDefinition<Integer> IN_FLIGHT_STATUS = SettingDefinition.of(
            SettingScope.ofSource("in-flight-status"),
            SettingType.of(
                    "`409`, `425`, `503`",
                    text -> Optional.of(text)
                            .filter(IN_FLIGHT_STATUSES::contains)
                            .map(Integer::valueOf)),
            409,
            "The status of the answer to a copy of a delivery that is still running.");

    static final SettingDefinition<Duplicates> DUPLICATE = SettingDefinition.of(
            SettingScope.ofSource("duplicate"),
            SettingType.choice(Duplicates.class),
            Duplicates.ACK,
            "A copy of a recorded delivery: answer `200 {\"status\":\"duplicate\"}`; answer as the first time; or run the"
                    + " handler again, with `Delivery.isDuplicate()`.");

    static final SettingDefinition<Integer> REPLAY_MAX_SIZE = SettingDefinition.of(
            SettingScope.ofSource("replay.max-size"),
            SettingType.integer(0, SourceSettings.MAX_REPLAY_SIZE),
            65_536,
            "With `replay`: an answer of more bytes is not kept, and its copies are acknowledged as with `ack`.");

    static final SettingDefinition<String> FORWARD_TO = SettingDefinition.optional(
            SettingScope.ofSource("forward-to"),
            SettingType.text("one of `exactlyonce.sender.endpoints`"),
            "In the gateway: sends each delivery on to that endpoint, and answers 202 when it is in the outbox.");

    static final SettingDefinition<List<String>> FORWARD_HEADERS = SettingDefinition.optional(
            SettingScope.ofSource("forward-headers"),
            SettingType.of(
                    "headers' names, separated by commas",
                    text -> Optional.of(new Forwarding.Target("", SettingTypes.elements(text)).headers())),
            "With `forward-to`: the headers that are sent on, besides `Content-Type`.");

    static final SettingDefinition<Set<String>> EVENTS = SettingDefinition.optional(
                    SettingScope.ofSource("events"),
                    SettingType.of(
                            "names, separated by commas; `issues` takes `issues.opened`, too",
                            PerSourceSettings::eventNames),
                    "The events that are taken; any other is answered `200 {\"status\":\"skipped\"}`.")
            .withDocumentedDefault("all of them");

    static final SettingDefinition<List<String>> EVENT_KEY = SettingDefinition.optional(
                    SettingScope.ofSource("event-key"),
                    expressions(it -> EventFilter.of(Set.of(), it)),
                    "Where an event's name is: the values that the expressions find, joined by dots; only the first must be"
                            + " there.")
            .withDocumentedDefault("the preset's");

    static final SettingDefinition<Preset> PRESET = SettingDefinition.optional(
            SettingScope.ofSource("preset"),
            SettingType.of(String.join(", ", Preset.NAMES), Preset::find)
                    .documentedAs("a row of [the table of senders](sources.md)"),
            "The provider: sets key, signature, lease and TTL.");

    static final SettingDefinition<UrlValidation> URL_VALIDATION = SettingDefinition.of(
            SettingScope.ofSource("url-validation"),
            SettingType.choice(UrlValidation.class),
            UrlValidation.HEAD,
            "Which requests get a 200 where the application has no method for them, since senders check so whether the"
                    + " address exists: HEAD, HEAD and GET, or neither.");

    static final SettingDefinition<Boolean> CONFIRM_SUBSCRIPTION = SettingDefinition.of(
            SettingScope.ofSource("confirm-subscription"),
            SettingType.bool(),
            false,
            "With `aws-sns`: whether a SubscriptionConfirmation of the topic is confirmed; else it is refused.");

    static final SettingDefinition<String> VERIFY_TOKEN = SettingDefinition.optional(
            SettingScope.ofSource("verify-token"),
            SettingType.text("the exact value from the provider's dashboard").hidden(),
            "The token that a GET challenge of Meta must contain; without it the challenge is not answered.");

    static final List<SettingDefinition<?>> ALL = Stream.of(
                    List.of(
                            KEY,
                            LEASE,
                            TTL,
                            RETRY_WINDOW,
                            ON_OUTAGE,
                            MAX_BODY_SIZE,
                            MISSING_KEY,
                            FINGERPRINT,
                            DEDUP_BODY,
                            RECORD_ON,
                            MODE,
                            IN_FLIGHT_STATUS,
                            DUPLICATE,
                            REPLAY_MAX_SIZE,
                            FORWARD_TO,
                            FORWARD_HEADERS,
                            EVENTS,
                            EVENT_KEY,
                            PRESET),
                    SignatureSettings.OF_EVERY_SCHEME,
                    List.of(URL_VALIDATION, CONFIRM_SUBSCRIPTION, VERIFY_TOKEN),
                    SignatureSettings.OF_GENERIC)
            .<SettingDefinition<?>>flatMap(List::stream)
            .toList();

    private PerSourceSettings() {}

    /** @param check throws an IllegalArgumentException that names the expression and what is allowed */
    private static SettingType<List<String>> expressions(Consumer<List<String>> check) {
        return SettingType.of("key expressions, separated by blanks", text -> {
            List<String> parts = List.of(text.split("\\s+"));
            check.accept(parts);
            return Optional.of(parts);
        });
    }

    private static Optional<Set<String>> eventNames(String text) {
        Set<String> names =
                Arrays.stream(text.split(",", -1)).map(String::strip).collect(Collectors.toUnmodifiableSet());
        return Optional.of(names)
                .filter(all ->
                        all.stream().allMatch(it -> EVENT.matcher(it).matches())); // another one would match no event
    }
}
