package dev.exactlyonce.config;

import dev.exactlyonce.sender.BodyCodec;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.Endpoint.BreakerPolicy;
import dev.exactlyonce.sender.Endpoint.Guarantee;
import dev.exactlyonce.sender.RetryBudget;
import dev.exactlyonce.sender.wire.Signer;
import dev.exactlyonce.spi.SettingDefinition;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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
        boolean allowHttp = values.get(PerEndpointSettings.ALLOW_HTTP);
        Optional<URI> url = url(allowHttp);
        List<String> secrets = secrets();
        Optional<String> signingKey = sound(PerEndpointSettings.SIGNING_KEY, Signer::requireSigningKey);
        BodyCodec codec = values.get(PerEndpointSettings.CODEC);
        RetryBudget budget = budget();
        Guarantee guarantee = values.get(PerEndpointSettings.GUARANTEE);
        BreakerPolicy breaker = values.get(PerEndpointSettings.BREAKER);
        boolean allowPrivate = values.get(PerEndpointSettings.ALLOW_PRIVATE);
        int maxBodySize = values.get(PerEndpointSettings.MAX_BODY_SIZE);
        int concurrency = values.get(PerEndpointSettings.CONCURRENCY);
        if (guarantee == Guarantee.AT_MOST_ONCE) {
            values.refuse(
                    List.of(
                            PerEndpointSettings.RETRY_DELAYS,
                            PerEndpointSettings.RETRY_JITTER,
                            PerEndpointSettings.DEADLINE),
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

    private Optional<URI> url(boolean allowHttp) {
        requireSet(PerEndpointSettings.URL);
        return values.find(PerEndpointSettings.URL)
                .filter(it -> isSound(PerEndpointSettings.URL, () -> Endpoint.requireUsable(it, allowHttp)));
    }

    private void requireSet(SettingDefinition<?> setting) {
        if (!values.isSet(setting)) {
            values.problem(setting, "is required; allowed: " + setting.type().allowedValues());
        }
    }

    /** Each secret is tried for itself, so that a fault names the setting that has it; empty without a current one. */
    private List<String> secrets() {
        Optional<String> secret = sound(PerEndpointSettings.SECRET, it -> new Signer(List.of(it), Optional.empty()));
        Optional<String> previous =
                sound(PerEndpointSettings.SECRET_PREVIOUS, it -> new Signer(List.of(it), Optional.empty()));
        requireSet(PerEndpointSettings.SECRET);
        return secret.isEmpty()
                ? List.of()
                : Stream.of(secret, previous).flatMap(Optional::stream).toList();
    }

    private Optional<String> sound(SettingDefinition<String> setting, Consumer<String> trial) {
        return values.secret(setting).filter(it -> isSound(setting, () -> trial.accept(it)));
    }

    private boolean isSound(SettingDefinition<?> setting, Runnable trial) {
        try {
            trial.run();
            return true;
        } catch (IllegalArgumentException fault) {
            values.problem(setting, String.valueOf(fault.getMessage()));
            return false;
        }
    }

    private RetryBudget budget() {
        List<Duration> delays = values.get(PerEndpointSettings.RETRY_DELAYS);
        Duration deadline = values.get(PerEndpointSettings.DEADLINE);
        Duration sum = delays.stream().reduce(Duration.ZERO, Duration::plus);
        if (values.isSet(PerEndpointSettings.RETRY_DELAYS) && sum.compareTo(deadline) > 0) {
            values.problem(
                    PerEndpointSettings.RETRY_DELAYS,
                    "add up to " + sum + ", and the deadline is " + deadline
                            + ": the last attempts would never be made; make deadline longer, or the list shorter");
        }
        return new RetryBudget(delays, values.get(PerEndpointSettings.RETRY_JITTER), deadline);
    }
}
