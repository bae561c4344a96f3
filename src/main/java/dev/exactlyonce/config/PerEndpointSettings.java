package dev.exactlyonce.config;

import dev.exactlyonce.sender.BodyCodec;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.Endpoint.BreakerPolicy;
import dev.exactlyonce.sender.Endpoint.Guarantee;
import dev.exactlyonce.sender.RetryBudget;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The settings of one endpoint. No fault shows its URL, which may contain a token, or a secret. */
final class PerEndpointSettings {
    private static final String REQUIRED = "required";

    private static final String URLS =
            "an absolute `https` URL of ASCII without user and fragment; `http` at localhost";

    private static final Pattern SHARE = Pattern.compile("0|1|0\\.[0-9]{1,4}|1\\.0{1,4}");

    static final SettingDefinition<URI> URL = SettingDefinition.optional(
                    SettingScope.ofEndpoint("url"),
                    SettingType.of(URLS, PerEndpointSettings::url),
                    "Where the endpoint's events go. A host with an underscore is called over `http` only.")
            .withDocumentedDefault(REQUIRED);

    static final SettingDefinition<String> SECRET = SettingDefinition.optional(
                    SettingScope.ofEndpoint("secret"),
                    SettingType.text("`whsec_` and Base64 of 24 to 64 bytes, or a text of at least 16 characters")
                            .hidden(),
                    "Signs `X-Signature-256` and `webhook-signature`; a `$` is written `\\$`.")
            .withDocumentedDefault(REQUIRED);

    static final SettingDefinition<String> SECRET_PREVIOUS = SettingDefinition.optional(
            SettingScope.ofEndpoint("secret-previous"),
            SettingType.text("as `secret`").hidden(),
            "Signs beside it, while a secret is rotated.");

    static final SettingDefinition<String> SIGNING_KEY = SettingDefinition.optional(
            SettingScope.ofEndpoint("signing-key"),
            SettingType.text("`whsk_` and the Base64 of an Ed25519 seed, 32 bytes, or of it and its public key")
                    .hidden(),
            "Signs `v1a` in `webhook-signature`, too.");

    static final SettingDefinition<BodyCodec> CODEC = SettingDefinition.of(
            SettingScope.ofEndpoint("codec"),
            SettingType.choice(BodyCodec.class),
            BodyCodec.JSON,
            "How a JSON body is written: compact UTF-8, or as Python's `json.dumps(…, sort_keys=True)`.");

    static final SettingDefinition<List<Duration>> RETRY_DELAYS = SettingDefinition.of(
            SettingScope.ofEndpoint("retry-delays"),
            SettingType.of(
                    "at most 20 durations, PT0S to PT24H, separated by commas; `none`", PerEndpointSettings::delays),
            RetryBudget.DEFAULT.delays(),
            "Before the second attempt, the third and so on; then the event is dead-lettered. Together not longer than"
                    + " `deadline`.");

    static final SettingDefinition<Double> RETRY_JITTER = SettingDefinition.of(
            SettingScope.ofEndpoint("retry-jitter"),
            SettingType.of(
                    "0 to 1, with at most 4 decimals, such as `0.25`",
                    text -> Optional.of(text)
                            .filter(it -> SHARE.matcher(it).matches())
                            .map(Double::valueOf)),
            RetryBudget.DEFAULT.jitter(),
            "The share of itself by which a delay may be longer. It is never shorter.");

    static final SettingDefinition<Duration> DEADLINE = SettingDefinition.of(
            SettingScope.ofEndpoint("deadline"),
            SettingType.duration(Duration.ofSeconds(1), Duration.ofDays(30)),
            RetryBudget.DEFAULT.deadline(),
            "Since the first attempt: one that would begin later is not made.");

    static final SettingDefinition<Guarantee> GUARANTEE = SettingDefinition.of(
            SettingScope.ofEndpoint("guarantee"),
            SettingType.choice(Guarantee.class),
            Guarantee.AT_LEAST_ONCE,
            "`at-most-once`: one attempt and no dead letter, for events that may be lost.");

    static final SettingDefinition<BreakerPolicy> BREAKER = SettingDefinition.of(
            SettingScope.ofEndpoint("breaker"),
            SettingType.choice(BreakerPolicy.class),
            BreakerPolicy.FAILURES,
            "When the circuit opens, for five minutes: after 10 failures in a row, or at more than 10 dead letters a second"
                    + " over a minute.");

    static final SettingDefinition<Boolean> ALLOW_HTTP = SettingDefinition.of(
            SettingScope.ofEndpoint("allow-http"), SettingType.bool(), false, "Whether `http` may leave this machine.");

    static final SettingDefinition<Boolean> ALLOW_PRIVATE = SettingDefinition.of(
            SettingScope.ofEndpoint("allow-private"),
            SettingType.bool(),
            false,
            "Whether private and loopback addresses may be called: for tests and intranets. Link-local ones never are.");

    static final SettingDefinition<Integer> MAX_BODY_SIZE = SettingDefinition.of(
            SettingScope.ofEndpoint("max-body-size"),
            SettingType.integer(0, Endpoint.LARGEST_BODY),
            Endpoint.DEFAULT_MAX_BODY_SIZE,
            "The largest event, in bytes. `send` refuses a larger one.");

    static final SettingDefinition<Integer> CONCURRENCY = SettingDefinition.of(
            SettingScope.ofEndpoint("concurrency"),
            SettingType.integer(1, Endpoint.MOST_CONCURRENCY),
            Endpoint.DEFAULT_CONCURRENCY,
            "How many attempts this replica makes to the endpoint at once.");

    static final List<SettingDefinition<?>> ALL = List.of(
            URL,
            SECRET,
            SECRET_PREVIOUS,
            SIGNING_KEY,
            CODEC,
            RETRY_DELAYS,
            RETRY_JITTER,
            DEADLINE,
            GUARANTEE,
            BREAKER,
            ALLOW_HTTP,
            ALLOW_PRIVATE,
            MAX_BODY_SIZE,
            CONCURRENCY);

    private PerEndpointSettings() {}

    private static Optional<URI> url(String text) {
        try {
            return Optional.of(new URI(text));
        } catch (URISyntaxException malformed) {
            throw new IllegalArgumentException("is not a valid URL; allowed: " + URLS.replace("`", ""));
        }
    }

    private static Optional<List<Duration>> delays(String text) {
        if (text.equals("none")) {
            return Optional.of(List.of());
        }
        try {
            List<Duration> delays =
                    SettingTypes.elements(text).stream().map(Duration::parse).toList();
            return Optional.of(new RetryBudget(delays, 0, RetryBudget.DEFAULT.deadline()).delays());
        } catch (DateTimeParseException | ArithmeticException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
