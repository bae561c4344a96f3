package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.SentRequest;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A request to the source "it", and what is set for that source.
 *
 * @param settings by their keys, without what names the source
 * @param now the time at which it arrives
 */
public record SignedDelivery(
        Map<String, String> settings, String query, Map<String, String> headers, String body, Instant now) {
    static final String PREFIX = "exactlyonce.source.it.";

    static SignedDelivery of(String preset, String secret) {
        return new SignedDelivery(Map.of("preset", preset, "secret", secret), "", Map.of(), "", Instant.EPOCH);
    }

    static SettingsReader.Reading read(Map<String, String> settings, Instant now) {
        Map<String, String> properties = new HashMap<>();
        settings.forEach((key, value) -> properties.put(PREFIX + key, value));
        return new SettingsReader(
                        new SmallRyeConfigBuilder()
                                .addDefaultInterceptors()
                                .withSources(new PropertiesConfigSource(properties, "test", 100))
                                .build(),
                        "shop",
                        StoreProviders.ofThisApplication(),
                        () -> now)
                .read(Set.of("it"));
    }

    DeliveryVerifier verifier() {
        SettingsReader.Reading reading = read(settings, now);
        assertThat(reading.problems()).isEmpty();
        return reading.settings().sources().find("it").orElseThrow().policy().verifier();
    }

    boolean isValid() {
        return isValid(verifier());
    }

    boolean isValid(DeliveryVerifier verifier) {
        return verifier.verify(request(), body.getBytes(StandardCharsets.UTF_8)).isValid();
    }

    SentRequest request() {
        SentRequest request = new SentRequest().withRawQuery(query);
        headers.forEach(request::withHeader);
        return request;
    }

    SignedDelivery with(String setting, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.put(setting, value);
        return new SignedDelivery(more, query, headers, body, now);
    }

    SignedDelivery withHeader(String name, String value) {
        Map<String, String> others = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        others.putAll(headers);
        others.put(name, value);
        return new SignedDelivery(settings, query, others, body, now);
    }

    SignedDelivery withBody(String other) {
        return new SignedDelivery(settings, query, headers, other, now);
    }

    SignedDelivery withQuery(String other) {
        return new SignedDelivery(settings, other, headers, body, now);
    }

    SignedDelivery at(Instant time) {
        return new SignedDelivery(settings, query, headers, body, time);
    }
}
