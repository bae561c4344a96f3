package dev.exactlyonce.sender.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.sender.BodyCodec;
import dev.exactlyonce.sender.EventKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A receiver in Python checks what is sent with its own {@code hmac} and {@code json}; skipped without python3. */
@EnabledIf(value = "isPythonThere", disabledReason = "there is no python3 on this machine")
class PythonReceiverTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final EventKey KEY = new EventKey("order-17");
    private static final Instant NOW = Instant.ofEpochSecond(1_614_265_330);

    private static final String CHECK = """
            import base64, hashlib, hmac, json, sys
            secret = sys.argv[1]
            for number, line in enumerate(sys.stdin):
                kind, body, plain, standard = line.rstrip("\\n").split("\\t")
                body = base64.b64decode(body)
                value = json.loads(body, parse_constant=lambda it: sys.exit("no JSON: " + it))
                if kind == "python" and json.dumps(value, sort_keys=True).encode() != body:
                    sys.exit("line %d is not what json.dumps writes: %r" % (number, body))
                expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
                if not hmac.compare_digest(expected, plain):
                    sys.exit("line %d: X-Signature-256" % number)
                key = base64.b64decode(secret[len("whsec_"):])
                signed = b"order-17.1614265330." + body
                expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
                if not hmac.compare_digest(expected, standard):
                    sys.exit("line %d: webhook-signature" % number)
            print(number + 1)
            """;

    @TempDir
    private Path folder;

    static boolean isPythonThere() {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void twoThousandRandomBodiesAreWhatPythonWritesAndSigns() throws Exception {
        SplittableRandom random = new SplittableRandom(20_261_130);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Object value = Map.of("value", Arrays.asList(random(random, 0), random(random, 3)));
            lines.add(line("python", BodyCodec.PYTHON_SORTED.encode(value)));
            lines.add(line("compact", BodyCodec.JSON.encode(value)));
        }
        assertThat(checked(lines)).isEqualTo("2000");
    }

    private static String line(String kind, byte[] body) {
        var headers = new Signer(List.of(SECRET), Optional.empty()).headers(KEY.value(), body, NOW);
        return String.join(
                "\t",
                kind,
                Base64.getEncoder().encodeToString(body),
                headers.get("x-signature-256").get(0),
                headers.get("webhook-signature").get(0));
    }

    private String checked(List<String> lines) throws IOException, InterruptedException {
        Path script = Files.writeString(folder.resolve("check.py"), CHECK);
        Path input = Files.write(folder.resolve("lines"), lines);
        Path output = folder.resolve("output");
        Process python = new ProcessBuilder("python3", script.toString(), SECRET)
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .redirectErrorStream(true)
                .start();
        assertThat(python.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return Files.readString(output, StandardCharsets.UTF_8).strip();
    }

    private static Object random(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth < 4 ? 8 : 6)) {
            case 0 -> random.nextLong();
            case 1 -> finite(random);
            case 2 -> random.nextInt(2_000_000) / 100.0;
            case 3 -> random.nextBoolean();
            case 4 -> text(random);
            case 5 -> null;
            case 6 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(random(random, depth + 1));
                }
                yield list;
            }
            default -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    map.put(text(random), random(random, depth + 1));
                }
                yield map;
            }
        };
    }

    private static double finite(SplittableRandom random) {
        double value = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(value) ? value : 0.5;
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            int point = random.nextInt(4) == 0 ? random.nextInt(0x11_0000) : random.nextInt(0x180);
            if (point < 0xd800 || point > 0xdfff) {
                text.appendCodePoint(point);
            }
        }
        return text.toString();
    }
}
