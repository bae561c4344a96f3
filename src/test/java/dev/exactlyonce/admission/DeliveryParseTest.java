package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.config.SignedDelivery;
import dev.exactlyonce.config.Signer;
import dev.exactlyonce.source.CountingJsonProvider;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.SettableClock;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeliveryParseTest {
    private static final Instant NOW = Instant.parse("2026-09-27T10:00:00Z");
    private static final String SECRET = "sixteen letters.";
    private static final String BODY =
            "{\"id\":\"e1\",\"account\":7,\"event\":\"meeting.started\",\"sentAt\":\"" + NOW + "\"}";
    private static final String SIGNED = Signer.hex(SECRET, BODY);

    private static final Map<String, String> IN_THE_BODY = Map.of(
            "key", "json:/missing|json:/id json:/account",
            "events", "meeting.started",
            "event-key", "json:/event");

    private static int parses(Map<String, String> settings, String body, String... headers) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("secret", SECRET));
        all.putAll(settings);
        Map<String, String> sent = new HashMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            sent.put(headers[i], headers[i + 1]);
        }
        SignedDelivery delivery = new SignedDelivery(all, "", sent, body, NOW);
        SourcePolicy policy = delivery.policyOrBody();
        SettableClock clock = new SettableClock();
        Replica replica = new Replica(new MemoryStore(10, clock, full -> {}), clock);
        int before = CountingJsonProvider.parses();
        Preparation prepared = replica.engine.prepare(delivery.request().withBody(body), policy);
        assertThat(prepared).isInstanceOf(Preparation.Ready.class);
        return CountingJsonProvider.parses() - before;
    }

    private static Map<String, String> inTheBody(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(IN_THE_BODY);
        settings.putAll(more);
        return settings;
    }

    @Test
    void aVerifierAnEventFilterAndAKeyReadOneParsedBody() throws Exception {
        String time = NOW.toString();
        assertThat(parses(
                        inTheBody(Map.of("preset", "twitch")),
                        BODY,
                        "Twitch-Eventsub-Message-Signature",
                        "sha256=" + Signer.hex(SECRET, "m1" + time + BODY),
                        "Twitch-Eventsub-Message-Id",
                        "m1",
                        "Twitch-Eventsub-Message-Timestamp",
                        time))
                .isOne();
    }

    @Test
    void aTimestampInTheBodyIsReadFromTheSameParsedBody() throws Exception {
        Map<String, String> settings = inTheBody(Map.of(
                "preset", "hmac",
                "signature-header", "X-Sig",
                "timestamp-json", "/sentAt",
                "timestamp-format", "rfc3339"));
        assertThat(parses(settings, BODY, "X-Sig", SIGNED)).isOne();
    }

    @Test
    void aHandshakeReadsTheSameParsedBody() throws Exception {
        String seconds = Long.toString(NOW.getEpochSecond());
        assertThat(parses(
                        inTheBody(Map.of("preset", "zoom")),
                        BODY,
                        "x-zm-signature",
                        "v0=" + Signer.hex(SECRET, "v0:" + seconds + ":" + BODY),
                        "x-zm-request-timestamp",
                        seconds))
                .isOne();
    }

    @Test
    void theJsonInAFormsFieldIsParsedOnce() throws Exception {
        String form = "payload=" + URLEncoder.encode(BODY, StandardCharsets.UTF_8);
        Map<String, String> settings = Map.of(
                "preset", "hmac",
                "signature-header", "X-Sig",
                "key", "form:payload#/missing|form:payload#/id form:payload#/account",
                "events", "meeting",
                "event-key", "form:payload#/event");
        assertThat(parses(
                        settings,
                        form,
                        "X-Sig",
                        Signer.hex(SECRET, form),
                        "Content-Type",
                        "application/x-www-form-urlencoded"))
                .isOne();
    }

    @Test
    void aBodyIsNotParsedForAKeyInAHeader() throws Exception {
        Map<String, String> settings = Map.of("preset", "hmac", "signature-header", "X-Sig", "key", "header:X-Id");
        assertThat(parses(settings, BODY, "X-Sig", SIGNED, "X-Id", "1")).isZero();
    }
}
