package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.config.PresetsSignedHereTest;
import dev.exactlyonce.config.SignedDelivery;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.SignedRow;
import dev.exactlyonce.source.SignedValues;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.SettableClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What one captured request can do, tried with every preset, and compared with what doc/sources.md says of it. */
class CapturedRequestTest {
    /** Those without a request that a test can sign with the preset's own trust, or without anything signed to capture. */
    private static final Set<String> ELSEWHERE =
            Set.of("paypal", "google-pubsub", "aws-sns", "hmac", "unsigned", "mollie", "klarna");

    private static Map<String, SignedDelivery> captured() {
        Map<String, SignedDelivery> byPreset = new TreeMap<>();
        Stream.concat(
                        SignedRow.all().stream().filter(SignedRow::isValid).map(CapturedRequestTest::of),
                        PresetsSignedHereTest.all().stream())
                .forEach(it -> byPreset.putIfAbsent(it.settings().get("preset"), it));
        byPreset.keySet().removeAll(ELSEWHERE);
        return byPreset;
    }

    private static SignedDelivery of(SignedRow row) {
        Map<String, String> settings = new HashMap<>(row.settings());
        if (Preset.find(row.preset()).orElseThrow().line("tolerance").isPresent()) {
            settings.put("tolerance", "P36500D");
        }
        return new SignedDelivery(settings, row.rawQuery(), row.headers(), row.body(), Instant.EPOCH);
    }

    private static Stream<String> presets() {
        return captured().keySet().stream();
    }

    @Test
    void everyPresetIsTriedButThoseThatAreTriedElsewhere() {
        Set<String> all = new TreeSet<>(Preset.NAMES);
        all.removeAll(ELSEWHERE);
        assertThat(captured().keySet()).isEqualTo(all);
    }

    @ParameterizedTest
    @MethodSource("presets")
    void whatTheDocumentSaysIsWhatAnAttackDoes(String preset) throws Exception {
        Attack attack = new Attack(captured().get(preset));
        String row = Files.readString(Path.of("doc/sources.md"))
                .lines()
                .filter(it -> it.startsWith("| `" + preset + "`: "))
                .findFirst()
                .orElseThrow();
        assertThat(attack.first()).as("the first delivery").isEqualTo("runs again");
        assertThat(row)
                .contains("as it was: " + attack.again() + "; under another id: " + attack.underAnotherId()
                        + "; encoded again: " + attack.encodedAgain() + "; after the TTL: ");
    }

    /** A receiver, and one request to it. */
    private static final class Attack {
        private final Replica replica;
        private final SourcePolicy policy;
        private final SignedDelivery delivery;
        private final Set<String> unsigned = new TreeSet<>();

        Attack(SignedDelivery captured) {
            SettableClock time = new SettableClock();
            replica = new Replica(new MemoryStore(100, time, until -> {}), time);
            Preset preset = Preset.find(captured.settings().get("preset")).orElseThrow();
            SignedValues signed = SignedValues.of(preset);
            SignedDelivery it = captured;
            for (String part : preset.lines().get("key").split(" ", -1)) {
                String first = part.split("\\|", -1)[0];
                String name = first.replace("header:", "");
                if (first.startsWith("header:")
                        && !signed.headers().contains(name.toLowerCase(Locale.ROOT))
                        && !captured.headers().containsKey(name)) {
                    unsigned.add(name);
                    it = it.withHeader(name, "captured");
                }
            }
            delivery = it;
            policy = it.with("missing-key", "body").policyOrBody();
        }

        String first() throws Exception {
            return send(delivery);
        }

        String again() throws Exception {
            return send(delivery);
        }

        /** Where no id is outside the signature, one inside it is changed. */
        String underAnotherId() throws Exception {
            SignedDelivery other = delivery;
            for (String name : unsigned) {
                other = other.withHeader(name, "another");
            }
            if (!unsigned.isEmpty()) {
                return send(other);
            }
            SignedValues signed = SignedValues.of(
                    Preset.find(delivery.settings().get("preset")).orElseThrow());
            for (String header : delivery.headers().keySet()) {
                if (signed.headers().contains(header.toLowerCase(Locale.ROOT))) {
                    return send(delivery.withHeader(header, delivery.headers().get(header) + "x"));
                }
            }
            return send(delivery.withBody(changed()));
        }

        private String changed() {
            String body = delivery.body();
            String id = body.contains("\"token\":\"") ? "\"token\":\"" : "\"pspReference\":\"";
            return body.contains(id)
                    ? body.replace(id, id + "7")
                    : body.replace("\"1\"", "\"another\"").replaceFirst("^(?![\\s\\S]*another)[\\s\\S]", "#");
        }

        String encodedAgain() throws Exception {
            boolean isForm = delivery.headers().containsValue("application/x-www-form-urlencoded");
            return send(delivery.withBody(delivery.body() + (isForm ? "&" : " ")));
        }

        private String send(SignedDelivery it) throws Exception {
            Preparation prepared = replica.engine.prepare(it.request().withBody(it.body()), policy);
            if (prepared instanceof Preparation.Unverified) {
                return "401";
            }
            assertThat(prepared).isInstanceOf(Preparation.Ready.class);
            Work work = Work.returning(204);
            replica.engine.admit(((Preparation.Ready) prepared).delivery(), work);
            return work.runs() == 1 ? "runs again" : "duplicate";
        }
    }

    @Test
    void theDocumentHasARowForEveryPreset() throws Exception {
        List<String> lines = Files.readAllLines(Path.of("doc/sources.md"));
        for (String name : Preset.NAMES) {
            assertThat(lines)
                    .as(name)
                    .filteredOn(it -> it.startsWith("| `" + name + "`: "))
                    .hasSize(1);
        }
    }
}
