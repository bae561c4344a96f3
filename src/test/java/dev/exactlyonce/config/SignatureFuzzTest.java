package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.SentRequest;
import dev.exactlyonce.admission.Verification;
import dev.exactlyonce.source.SignedRow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Headers that no honest sender sends: no exception gets out, and nothing is accepted. */
class SignatureFuzzTest {
    private static final int ROUNDS = 100_000;
    private static final long SEED = Long.getLong("fuzz.seed", System.nanoTime());
    private static final String ODD = ",;=  \t%+/-_.:\"'v1ah0tsé\u0000\u00ff\ud83d";

    /** One published request and its verifier. */
    private record Target(SignedRow row, DeliveryVerifier verifier) {
        /** Of the tests' clock; at 1970 most timestamps are stale, so tolerance does not count here. */
        static Target of(SignedRow row) {
            SignedDelivery delivery =
                    new SignedDelivery(row.settings(), row.rawQuery(), row.headers(), row.body(), Instant.EPOCH);
            if (PresetVectorsTest.hasTolerance(row)) {
                delivery = delivery.with("tolerance", "P36500D");
            }
            assertThat(delivery.isValid()).as(row.preset()).isTrue();
            return new Target(row, delivery.verifier());
        }

        Verification send(Map<String, List<String>> headers, String body) {
            SentRequest request = new SentRequest().withRawQuery(row.rawQuery());
            headers.forEach((name, values) -> values.forEach(it -> request.withHeader(name, it)));
            return verifier.verify(request, body.getBytes(StandardCharsets.UTF_8));
        }
    }

    private final Random random = new Random(SEED);

    @Test
    void mutatedHeadersAreRefusedWithoutAnException() {
        System.out.println("fuzz.seed=" + SEED);
        List<Target> targets = SignedRow.all().stream()
                .filter(SignedRow::isValid)
                .map(Target::of)
                .toList();
        for (int round = 0; round < ROUNDS; round++) {
            Target target = targets.get(random.nextInt(targets.size()));
            // Another body is signed by none of these headers, whatever becomes of them.
            String body = target.row().tamperedBody();
            Map<String, List<String>> headers = mutated(target.row().headers());
            assertThat(target.send(headers, body).isValid())
                    .as(
                            "fuzz.seed=%s, round %s, %s: %s",
                            SEED, round, target.row().preset(), headers)
                    .isFalse();
        }
    }

    @Test
    void mutatedBodiesWithASignatureInThemAreRefusedWithoutAnException() {
        System.out.println("fuzz.seed=" + SEED);
        List<Target> targets = SignedRow.all().stream()
                .filter(it -> it.preset().equals("adyen") || it.preset().equals("mailgun"))
                .map(Target::of)
                .toList();
        for (int round = 0; round < ROUNDS / 10; round++) {
            Target target = targets.get(random.nextInt(targets.size()));
            String body = target.row().tamperedBody();
            for (int i = random.nextInt(3); i >= 0; i--) {
                body = mutated(body);
            }
            boolean isMended = body.contains("\"pspReference\":\"" + original(target.row(), "pspReference") + "\"")
                    || body.contains("\"token\":\"" + original(target.row(), "token") + "\"");
            if (!isMended) {
                assertThat(target.send(Map.of(), body).isValid())
                        .as("fuzz.seed=%s, round %s: %s", SEED, round, body)
                        .isFalse();
            }
        }
    }

    private static String original(SignedRow row, String field) {
        int at = row.body().indexOf("\"" + field + "\":\"");
        return at < 0 ? "\0" : row.body().substring(at + field.length() + 4).replaceAll("\".*", "");
    }

    private Map<String, List<String>> mutated(Map<String, String> headers) {
        Map<String, List<String>> others = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> {
            List<String> values = new ArrayList<>();
            for (int copies = random.nextInt(8) == 0 ? random.nextInt(4) : 1; copies > 0; copies--) {
                String text = value;
                for (int i = random.nextInt(4); i > 0; i--) {
                    text = mutated(text);
                }
                values.add(text);
            }
            others.put(random.nextInt(50) == 0 ? name.toUpperCase(Locale.ROOT) : name, values);
        });
        return others;
    }

    private String mutated(String text) {
        int at = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), at + random.nextInt(8));
        return switch (random.nextInt(7)) {
            case 0 -> text.substring(0, at) + text.substring(to);
            case 1 -> text.substring(0, at) + text.substring(at, to).repeat(random.nextInt(5)) + text.substring(at);
            case 2, 3 -> text.substring(0, at) + ODD.charAt(random.nextInt(ODD.length())) + text.substring(at);
            case 4 -> text.substring(at) + text.substring(0, at);
            case 5 -> text.substring(0, at) + (char) random.nextInt(0x10000) + text.substring(to);
            default -> random.nextInt(100) == 0 ? text.repeat(300) : text + "," + text;
        };
    }
}
