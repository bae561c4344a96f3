package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentCodingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "aes128gcm",
                "br",
                "compress",
                "dcb",
                "dcz",
                "deflate",
                "exi",
                "gzip",
                "pack200-gzip",
                "x-compress",
                "x-gzip",
                "zstd",
                "GZIP",
                "identity, gzip",
                "utf-8,\tbr",
                "gzip;q=1",
                " gzip ; q=1"
            })
    void aBodyWithARegisteredCodingIsEncoded(String value) {
        assertThat(ContentCoding.of(List.of(value))).isEqualTo(ContentCoding.ENCODED);
        assertThat(ContentCoding.of(List.of("none", value))).isEqualTo(ContentCoding.ENCODED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "none", "identity, none", "8bit", "aws-chunked", "*"})
    void whatIsNoRegisteredCodingIsNoEncoding(String value) {
        assertThat(ContentCoding.of(List.of(value))).isEqualTo(ContentCoding.UNREGISTERED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "identity", "Identity", "identity, identity", ", ,", ";"})
    void identityAndNothingAreAsTheyAre(String value) {
        assertThat(ContentCoding.of(List.of(value))).isEqualTo(ContentCoding.IDENTITY);
    }

    @Test
    void aBodyOfWhichNothingIsSaidIsAsItIs() {
        assertThat(ContentCoding.of(List.of())).isEqualTo(ContentCoding.IDENTITY);
    }
}
