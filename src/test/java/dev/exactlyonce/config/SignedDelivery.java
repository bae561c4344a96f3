package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.SentRequest;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.source.Preset;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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

    /** How the source treats it; where this preset finds no key in a test's short body, its digest stands in. */
    public SourcePolicy policyOrBody() {
        Map<String, String> more = new HashMap<>(settings);
        if (Preset.find(settings.get("preset"))
                .filter(it -> it.isSet(Preset.BODY_CHANGES))
                .isPresent()) {
            more.remove("missing-key");
            more.put("key", "json:/id|body");
        }
        if (settings.get("preset").equals("slack")) {
            more.put("key", "body"); // its published vector is a form that does not say so
        }
        SettingsReader.Reading reading = read(more, now);
        assertThat(reading.problems()).isEmpty();
        return reading.settings().sources().find("it").orElseThrow().policy(Optional.empty());
    }

    boolean isValid() {
        return isValid(verifier());
    }

    boolean isValid(DeliveryVerifier verifier) {
        return verifier.verify(request(), body.getBytes(StandardCharsets.UTF_8)).isValid();
    }

    public SentRequest request() {
        SentRequest request = new SentRequest().withRawQuery(query);
        for (String pair : query.split("&", -1)) {
            String[] field = pair.split("=", 2);
            if (field.length == 2) {
                request.withQuery(decoded(field[0]), decoded(field[1]));
            }
        }
        headers.forEach(request::withHeader);
        return request;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    public SignedDelivery with(String setting, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.put(setting, value);
        return new SignedDelivery(more, query, headers, body, now);
    }

    public SignedDelivery withHeader(String name, String value) {
        Map<String, String> others = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        others.putAll(headers);
        others.put(name, value);
        return new SignedDelivery(settings, query, others, body, now);
    }

    public SignedDelivery withBody(String other) {
        return new SignedDelivery(settings, query, headers, other, now);
    }

    public SignedDelivery withQuery(String other) {
        return new SignedDelivery(settings, other, headers, body, now);
    }

    SignedDelivery at(Instant time) {
        return new SignedDelivery(settings, query, headers, body, time);
    }
}
