package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBodyTest {
    private static JsonBody body(String json) {
        return JsonBody.parse(json.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/text | ä",
                "/number | 1000",
                "/yes | true",
                "/list/1/a | b",
                "/a~1b | slash",
                "/a~0b | tilde",
                "/twice | 2"
            })
    void aScalarIsFoundByItsPointer(String pointer, String text) {
        assertThat(body("{\"text\":\"\\u00e4\",\"number\":1000,\"yes\":true,\"list\":[0,{\"a\":\"b\"}],"
                                + "\"a/b\":\"slash\",\"a~b\":\"tilde\",\"twice\":1,\"twice\":2}")
                        .text(pointer))
                .contains(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/none", "/null", "/list", "/list/2", "/list/-", "/list/01", "/list/-1", "/list/x", "/a/b/c"
            })
    void whatIsNoScalarOrNotThereIsNothing(String pointer) {
        assertThat(body("{\"null\":null,\"list\":[1,2],\"a\":1}").text(pointer)).isEmpty();
    }

    @Test
    void theElementsOfAnArrayAreItemsAndNothingElseHasAny() {
        JsonBody body = body("{\"items\":[{\"a\":1},null,2],\"object\":{}}");
        assertThat(body.items("/items")).hasSize(3);
        assertThat(body.items("/items").get(0).text("/a")).contains("1");
        assertThat(body.items("/items").get(1).text("/a")).isEmpty();
        assertThat(body.items("/object")).isEmpty();
        assertThat(body.items("/none")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "{}{}", "[1] 2", "{'a':1}", "nul", "{\"a\":01}", "\u0000"})
    void malformedJsonIsNothing(String json) {
        assertThat(JsonBody.parse(json.getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    @Test
    void whatIsNotUtf8OrTooDeepIsNothing() {
        assertThat(JsonBody.parse(new byte[] {'"', (byte) 0xC3, '"'})).isEmpty();
        assertThat(JsonBody.parse("[".repeat(1_000_000).getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
    }
}
