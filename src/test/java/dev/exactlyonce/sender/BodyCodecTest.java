package dev.exactlyonce.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.sender.wire.Signer;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BodyCodecTest {
    private static String python(Object value) {
        return new String(BodyCodec.PYTHON_SORTED.encode(value), StandardCharsets.UTF_8);
    }

    private static String compact(Object value) {
        return new String(BodyCodec.JSON.encode(value), StandardCharsets.UTF_8);
    }

    static Stream<JsonObject> vectors() throws Exception {
        return Files.readAllLines(Path.of("src/test/resources/vectors/python-json.jsonl")).stream()
                .map(BodyCodecTest::object);
    }

    private static JsonObject object(String text) {
        try (JsonReader reader = Json.createReader(new StringReader(text))) {
            return reader.readObject();
        }
    }

    static Stream<JsonObject> vectorsOfJson() throws Exception {
        return vectors().filter(it -> !it.getString("body").contains("NaN"));
    }

    @ParameterizedTest
    @MethodSource("vectorsOfJson")
    void writesAndSignsWhatPythonWritesAndSigns(JsonObject vector) {
        byte[] body = BodyCodec.PYTHON_SORTED.encode(plain(object(vector.getString("body"))));

        assertThat(body).asString().isEqualTo(vector.getString("body"));
        assertThat(new Signer(List.of("whsec-test-secret"), Optional.empty())
                        .headers("k", body, Instant.EPOCH)
                        .get("x-signature-256"))
                .containsExactly(vector.getString("X-Signature-256"));
    }

    @Test
    void theOneVectorThatIsNoJsonIsRefused() throws Exception {
        assertThat(vectors().filter(it -> it.getString("body").contains("NaN"))).hasSize(1);
        for (Object it : List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Float.NaN)) {
            assertThatThrownBy(() -> python(Map.of("n", it))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> compact(List.of(it))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, 1.0, 1",
        "-0.0, -0.0, -0.0",
        "0.0, 0.0, 0",
        "0.1, 0.1, 0.1",
        "100.0, 100.0, 1E+2",
        "1e16, 1e+16, 1E+16",
        "9999999999999998.0, 9999999999999998.0, 9999999999999998",
        "0.0001, 0.0001, 0.0001",
        "0.00001, 1e-05, 0.00001",
        "1.5e-7, 1.5e-07, 1.5E-7",
        "1e100, 1e+100, 1E+100",
        "1.7976931348623157e308, 1.7976931348623157e+308, 1.7976931348623157E+308",
        "5e-324, 5e-324, 5E-324",
        "5.684341886080802e-14, 5.684341886080802e-14, 5.684341886080802E-14", // JDK 17 prints a digit too many
        "2e23, 2e+23, 2E+23",
        "-123.456, -123.456, -123.456"
    })
    void aDoubleHasTheFewestDigitsThatReadBackAsIt(double value, String inPython, String compact) {
        assertThat(python(value)).isEqualTo(inPython);
        assertThat(compact(value)).isEqualTo(compact);
    }

    @Test
    void everyDoubleReadsBackAsItself() {
        SplittableRandom random = new SplittableRandom(20_261_130);
        for (int i = 0; i < 20_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertThat(Double.parseDouble(python(value))).isEqualTo(value);
                assertThat(Double.parseDouble(compact(value))).isEqualTo(value);
            }
        }
    }

    @Test
    void membersAreSortedByCodePointForPythonAndKeptAsTheyAreOtherwise() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("\ud83d\ude00", 1); // U+1F600 comes after U+FFFD, though its first char does not
        map.put("\ufffd", 2);
        map.put("b", 3);
        map.put("B", 4);

        assertThat(python(map)).isEqualTo("{\"B\": 4, \"b\": 3, \"\\ufffd\": 2, \"\\ud83d\\ude00\": 1}");
        assertThat(compact(map)).isEqualTo("{\"\ud83d\ude00\":1,\"\ufffd\":2,\"b\":3,\"B\":4}");
    }

    @Test
    void compactTextIsUtf8AsItIsButForWhatJsonEscapes() {
        assertThat(compact(Arrays.asList("é\u007f\u0001\b\"\\/", null, true, Map.of())))
                .isEqualTo("[\"é\u007f\\u0001\\b\\\"\\\\/\",null,true,{}]");
    }

    @Test
    void wholeNumbersOfAnySizeAreWritten() {
        assertThat(python(List.of((byte) 1, (short) 2, 3, 4L, new BigInteger("9".repeat(40)))))
                .isEqualTo("[1, 2, 3, 4, " + "9".repeat(40) + "]");
    }

    @Test
    void aDecimalThatPythonWouldChangeIsRefused() {
        assertThat(python(new BigDecimal("19.90"))).isEqualTo("19.9");
        assertThat(compact(new BigDecimal("19.90"))).isEqualTo("19.90");
        assertThatThrownBy(() -> python(new BigDecimal("0.1234567890123456789")))
                .hasMessageContaining("more digits than a double has");
        assertThatThrownBy(() -> python(new BigDecimal("1e400"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBodyIsTheSameWhereverTheServerStands() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(new String(BodyCodec.PYTHON_SORTED.encode(1e-5), StandardCharsets.UTF_8))
                    .isEqualTo("1e-05");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void halfAPairIsRefusedWhereItWouldBecomeAQuestionMark() {
        assertThatThrownBy(() -> compact("a\ud83d")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> compact("\ude00a")).isInstanceOf(IllegalArgumentException.class);
        assertThat(python("a\ud83d")).isEqualTo("\"a\\ud83d\"");
    }

    @Test
    void whatIsNoJsonIsRefused() {
        assertThatThrownBy(() -> compact(Instant.EPOCH)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> compact(Map.of(1, 2))).isInstanceOf(IllegalArgumentException.class);
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        assertThatThrownBy(() -> compact(itself)).hasMessageContaining("nested deeper than 500");
    }

    private static Object plain(JsonValue value) {
        return switch (value.getValueType()) {
            case OBJECT -> {
                Map<String, Object> map = new LinkedHashMap<>();
                value.asJsonObject().forEach((name, it) -> map.put(name, plain(it)));
                yield map;
            }
            case ARRAY -> {
                List<Object> list = new ArrayList<>();
                for (JsonValue it : (JsonArray) value) {
                    list.add(plain(it));
                }
                yield list;
            }
            case STRING -> ((JsonString) value).getString();
            case NUMBER ->
                ((JsonNumber) value).isIntegral()
                        ? ((JsonNumber) value).bigIntegerValue()
                        : (Object) ((JsonNumber) value).doubleValue();
            case TRUE -> true;
            case FALSE -> false;
            case NULL -> null;
        };
    }
}
