package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.SentRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonValueTest {
    private static final ValueSelector.Value MALFORMED =
            new ValueSelector.Malformed("The body is not well-formed JSON; looked for json:/id.");
    private static final ValueSelector.Value TOO_LONG =
            new ValueSelector.Malformed("The idempotency key in json:/id is longer than 1024 characters.");

    private static ValueSelector.Value at(String pointer, String json) {
        return at(pointer, json.getBytes(StandardCharsets.UTF_8));
    }

    private static ValueSelector.Value at(String pointer, byte[] json) {
        return new ValueSelector.JsonSelector(pointer).in(new Message(new SentRequest(), json));
    }

    private static ValueSelector.Value found(String text) {
        return new ValueSelector.Selected(text);
    }

    /** RFC 6901, section 5. */
    @ParameterizedTest
    @CsvSource({
        "/foo/0, bar",
        "/foo/1, baz",
        "/, 0",
        "/a~1b, 1",
        "/c%d, 2",
        "/e^f, 3",
        "/g|h, 4",
        "/i\\j, 5",
        "'/k\"l', 6",
        "'/ ', 7",
        "/m~0n, 8"
    })
    void theExamplesOfTheRfcAreFound(String pointer, String value) {
        String json = """
                {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5, "k\\"l": 6, " ": 7, "m~n": 8}
                """;
        assertThat(at(pointer, json)).isEqualTo(found(value));
    }

    @Test
    void escapesAreReadOnce() {
        assertThat(at("/~01", "{\"~1\":\"tilde one\",\"/\":\"slash\"}")).isEqualTo(found("tilde one"));
        assertThat(at("/~10", "{\"/0\":\"slash zero\"}")).isEqualTo(found("slash zero"));
    }

    @Test
    void anEmptyPointerIsTheDocumentItself() {
        assertThat(at("", "\"id\"")).isEqualTo(found("id"));
        assertThat(at("", " 12 ")).isEqualTo(found("12"));
        assertThat(at("", "{}")).isEqualTo(ValueSelector.MISSING);
    }

    @Test
    void aPointerReachesThroughObjectsAndArrays() {
        assertThat(at("/a/1/b/0", "{\"x\":[1,{}],\"a\":[[],{\"c\":{\"b\":0},\"b\":[\"here\",\"there\"]}]}"))
                .isEqualTo(found("here"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a/-",
                "/a/01",
                "/a/+1",
                "/a/2",
                "/a/-1",
                "/a/99999999999999999999",
                "/a/",
                "/a/0/x",
                "/b",
                "/a",
                "/"
            })
    void whatIsNotThereIsMissing(String pointer) {
        assertThat(at(pointer, "{\"a\":[1,2]}")).isEqualTo(ValueSelector.MISSING);
    }

    @Test
    void aMembersNameMayBeginWithAZero() {
        assertThat(at("/007/x/01", "{\"007\":{\"x\":{\"01\":\"bond\"}}}")).isEqualTo(found("bond"));
        assertThat(at("/a/01/b", "{\"a\":[{},{\"b\":1}]}")).isEqualTo(ValueSelector.MISSING);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "-7, -7",
        "1e2, 100",
        "1E+2, 100",
        "1.50, 1.50",
        "100e-2, 1.00",
        "0.1, 0.1",
        "0, 0",
        "0e5, 0",
        "123456789012345678901234567890, 123456789012345678901234567890"
    })
    void numbersAreWrittenPlainly(String json, String value) {
        assertThat(at("/id", "{\"id\":" + json + "}")).isEqualTo(found(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1e1024", "1e999999", "1e-999999", "1e2147483648", "1e99999999999", "-1e99999999999999999999"})
    void aNumberTooLongToWriteDownIsUnusableAndNoException(String json) {
        assertThat(at("/id", "{\"id\":" + json + "}")).isEqualTo(TOO_LONG);
    }

    @Test
    void aNumberOfTooManyDigitsIsUnusable() {
        assertThat(at("/id", "{\"id\":" + "1".repeat(1_000_000) + "}")).isEqualTo(TOO_LONG);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, false"})
    void booleansAreFound(String json, String value) {
        assertThat(at("/id", "{\"id\":" + json + "}")).isEqualTo(found(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "[]", "{\"id\":1}", "[1]", "[[{\"id\":[1]}]]"})
    void nullObjectsAndArraysCountAsMissing(String json) {
        assertThat(at("/id", "{\"id\":" + json + ",\"other\":1}")).isEqualTo(ValueSelector.MISSING);
    }

    @Test
    void stringsAreTakenAsTheyAre() {
        assertThat(at("/id", "{\"id\":\" a\\u00e9\\ud83d\\ude00\\/ \"}")).isEqualTo(found(" aé\uD83D\uDE00/ "));
        assertThat(at("/id", "{\"id\":\"1e2\"}")).isEqualTo(found("1e2"));
    }

    @Test
    void aStringOfAMillionCharactersIsReadAndLeftToTheLimitOfKeys() {
        assertThat(at("/id", "{\"id\":\"" + "x".repeat(1_000_000) + "\"}")).isEqualTo(found("x".repeat(1_000_000)));
        assertThat(at("/id", "{\"" + "k".repeat(1_000_000) + "\":0,\"id\":\"a\"}"))
                .isEqualTo(found("a"));
    }

    @Test
    void ofAMemberThatStandsTwiceTheLastValueCounts() {
        assertThat(at("/id", "{\"id\":\"first\",\"id\":\"last\"}")).isEqualTo(found("last"));
        assertThat(at("/id", "{\"id\":\"first\",\"id\":null}")).isEqualTo(ValueSelector.MISSING);
        assertThat(at("/a/id", "{\"a\":{\"id\":1},\"a\":{}}")).isEqualTo(ValueSelector.MISSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"id\":\"a\"",
                "{\"id\":\"a\"}}",
                "{\"id\":\"a\"} x",
                "{\"id\":\"a\"}{\"id\":\"b\"}",
                "{\"id\":\"a\",}",
                "{\"id\":\"a\",\"x\":tru}",
                "{\"x\":{\"y\":[1,2,}]},\"id\":\"a\"}",
                "{\"x\":{\"y\":\"\\q\"},\"id\":\"a\"}",
                "{\"id\":\"a\",\"x\":[1 2]}",
                "{\"id\":\"a\" \"x\":1}",
                "{\"x\":01,\"id\":\"a\"}",
                "{\"x\":.5,\"id\":\"a\"}",
                "{\"x\":1.,\"id\":\"a\"}",
                "{id:\"a\"}",
                "{'id':'a'}",
                "{\"id\":\"a\nb\"}",
                "{\"id\":NaN}",
                "nul",
                "[\"a\"",
                "id=a",
                "\uFEFF{\"id\":\"a\"}"
            })
    void malformedJsonAnywhereIsUnusableWhereverTheFaultIs(String json) {
        assertThat(at("/id", json)).isEqualTo(MALFORMED);
    }

    @Test
    void invalidUtf8IsUnusableAnywhereInTheDocument() {
        byte[] json = "{\"id\":\"a\",\"x\":\"?\"}".getBytes(StandardCharsets.UTF_8);
        json[json.length - 3] = (byte) 0xC3;
        assertThat(at("/id", json)).isEqualTo(MALFORMED);
    }

    @Test
    void otherEncodingsAreUnusable() {
        assertThat(at("/id", "{\"id\":\"a\"}".getBytes(StandardCharsets.UTF_16BE)))
                .isEqualTo(MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 10_000, 1_000_000})
    void deepNestingIsAValueAndNoException(int depth) {
        String nested = "[".repeat(depth) + "]".repeat(depth);
        assertThat(at("/id", "{\"id\":\"a\",\"x\":" + nested + "}")).isIn(found("a"), MALFORMED);
        assertThat(at("/id", "[".repeat(depth))).isEqualTo(MALFORMED);
        assertThat(at("/0".repeat(500), nested))
                .isIn(
                        ValueSelector.MISSING,
                        new ValueSelector.Malformed(
                                "The body is not well-formed JSON; looked for json:" + "/0".repeat(500) + "."));
    }
}
