package dev.exactlyonce.config;

import dev.exactlyonce.common.WholeNumbers;
import dev.exactlyonce.sender.BodyCodec;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.Endpoint.BreakerPolicy;
import dev.exactlyonce.sender.Endpoint.Guarantee;
import dev.exactlyonce.sender.RetryBudget;
import dev.exactlyonce.sender.wire.Signer;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads one endpoint. No message holds its URL, which may have a token in it, or a word of a secret. */
final class EndpointReader {
    private final ConfigReader values;

    /** @param all of the whole configuration */
    EndpointReader(ConfigReader all, String name) {
        this.values = all.of(name, Map.of());
    }

    /** Empty when something is wrong with it, which is among the problems then. */
    Optional<Endpoint> read(String name) {
        int problems = values.problems().size();
        boolean allowHttp = values.bool(SenderSetting.ALLOW_HTTP, false);
        Optional<URI> url = values.read(SenderSetting.URL, Optional.empty(), text -> Optional.of(url(text, allowHttp)));
        List<String> secrets = secrets();
        Optional<String> signingKey = sound(SenderSetting.SIGNING_KEY, Signer::requireSigningKey);
        if (url.isEmpty() && !values.isSet(SenderSetting.URL)) {
            values.problem(SenderSetting.URL, "is needed: " + SenderSetting.URL.allowed());
        }
        BodyCodec codec = values.choice(SenderSetting.CODEC, BodyCodec.JSON);
        RetryBudget budget = budget();
        Guarantee guarantee = values.choice(SenderSetting.GUARANTEE, Guarantee.AT_LEAST_ONCE);
        BreakerPolicy breaker = values.choice(SenderSetting.BREAKER, BreakerPolicy.FAILURES);
        boolean allowPrivate = values.bool(SenderSetting.ALLOW_PRIVATE, false);
        int maxBodySize =
                values.integer(SenderSetting.MAX_BODY_SIZE, Endpoint.DEFAULT_MAX_BODY_SIZE, Endpoint.LARGEST_BODY);
        int concurrency = concurrency();
        if (guarantee == Guarantee.AT_MOST_ONCE) {
            values.refuse(
                    List.of(SenderSetting.RETRY_DELAYS, SenderSetting.RETRY_JITTER, SenderSetting.DEADLINE),
                    "has no effect with guarantee=at-most-once, which makes one attempt; remove one of them");
        }
        if (values.problems().size() > problems || url.isEmpty() || secrets.isEmpty()) {
            return Optional.empty();
        }
        Endpoint.Builder endpoint = Endpoint.builder(name, url.get())
                .secrets(secrets)
                .codec(codec)
                .budget(budget)
                .guarantee(guarantee)
                .breaker(breaker)
                .allowHttp(allowHttp)
                .allowPrivate(allowPrivate)
                .maxBodySize(maxBodySize)
                .concurrency(concurrency);
        signingKey.ifPresent(endpoint::signingKey);
        return Optional.of(endpoint.build());
    }

    private static URI url(String text, boolean allowHttp) {
        try {
            URI url = new URI(text);
            Endpoint.requireUsable(url, allowHttp);
            return url;
        } catch (URISyntaxException malformed) {
            throw new IllegalArgumentException("is not a valid URL: allowed is " + SenderSetting.URL.allowed());
        }
    }

    /** Each secret is tried for itself, so that a fault names the setting that has it; empty without a current one. */
    private List<String> secrets() {
        Optional<String> secret = sound(SenderSetting.SECRET, it -> new Signer(List.of(it), Optional.empty()));
        Optional<String> previous =
                sound(SenderSetting.SECRET_PREVIOUS, it -> new Signer(List.of(it), Optional.empty()));
        if (!values.isSet(SenderSetting.SECRET)) {
            values.problem(SenderSetting.SECRET, "is needed: " + SenderSetting.SECRET.allowed());
        }
        return secret.isEmpty()
                ? List.of()
                : Stream.of(secret, previous).flatMap(Optional::stream).toList();
    }

    private interface Trial {
        void of(String secret);
    }

    private Optional<String> sound(SenderSetting setting, Trial trial) {
        return values.secret(setting).filter(it -> {
            try {
                trial.of(it);
                return true;
            } catch (IllegalArgumentException fault) {
                values.problem(setting, String.valueOf(fault.getMessage()));
                return false;
            }
        });
    }

    private RetryBudget budget() {
        RetryBudget standard = RetryBudget.DEFAULT;
        List<Duration> delays = values.read(SenderSetting.RETRY_DELAYS, standard.delays(), EndpointReader::delays);
        double jitter = values.read(SenderSetting.RETRY_JITTER, standard.jitter(), EndpointReader::share);
        Duration deadline = values.duration(
                SenderSetting.DEADLINE, standard.deadline(), Duration.ofSeconds(1), Duration.ofDays(30));
        Duration sum = delays.stream().reduce(Duration.ZERO, Duration::plus);
        if (values.isSet(SenderSetting.RETRY_DELAYS) && sum.compareTo(deadline) > 0) {
            values.problem(
                    SenderSetting.RETRY_DELAYS,
                    "add up to " + sum + ", and the deadline is " + deadline
                            + ": the last attempts would never be made; make deadline longer, or the list shorter");
        }
        return new RetryBudget(delays, jitter, deadline);
    }

    private static List<Duration> delays(String text) {
        if (text.equals("none")) {
            return List.of();
        }
        try {
            List<Duration> delays = Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .map(Duration::parse)
                    .toList();
            return new RetryBudget(delays, 0, RetryBudget.DEFAULT.deadline()).delays();
        } catch (DateTimeParseException | ArithmeticException | IllegalArgumentException malformed) {
            throw ConfigReader.notAllowed(text, SenderSetting.RETRY_DELAYS.allowed());
        }
    }

    private static double share(String text) {
        if (!text.matches("0|1|0\\.[0-9]{1,4}|1\\.0{1,4}")) {
            throw ConfigReader.notAllowed(text, "0 to 1, such as 0.1");
        }
        return Double.parseDouble(text);
    }

    private int concurrency() {
        return values.read(
                SenderSetting.CONCURRENCY,
                Endpoint.DEFAULT_CONCURRENCY,
                text -> WholeNumbers.parse(text, 1, Endpoint.MOST_CONCURRENCY)
                        .orElseThrow(() -> ConfigReader.notAllowed(text, SenderSetting.CONCURRENCY.allowed())));
    }
}
