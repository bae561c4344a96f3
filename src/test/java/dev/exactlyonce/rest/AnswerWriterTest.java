package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.rest.StoredAnswer.BodyForm;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What needs no JAX-RS implementation; types, responses and JSON are tested on a server. */
class AnswerWriterTest {
    private static final int MOST = 1_000;

    private final AnswerWriter writer = writer();

    public Object untyped() {
        return "";
    }

    private static AnswerWriter writer() {
        try {
            return AnswerWriter.of(AnswerWriterTest.class, AnswerWriterTest.class.getMethod("untyped"), null);
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    private StoredAnswer written(Object value) {
        return StoredAnswer.decode(writer.returned(value, MOST)).orElseThrow();
    }

    @Test
    void nothingATextAndBytesAreKeptAsWhatTheyAre() {
        assertThat(written(null).form()).isEqualTo(BodyForm.NONE);
        assertThat(written("h\u00e9").form()).isEqualTo(BodyForm.TEXT);
        assertThat(written("h\u00e9").body()).isEqualTo("h\u00e9".getBytes(StandardCharsets.UTF_8));
        assertThat(written(new byte[] {0, -1}).form()).isEqualTo(BodyForm.BYTES);
        assertThat(written(new byte[] {0, -1}).body()).containsExactly(0, -1);
    }

    @Test
    void aTypeThatNobodyNamedIsLeftToTheServer() {
        assertThat(written("text").headers()).isEmpty();
    }

    @Test
    void anAnswerOverTheLimitLeavesATombstone() {
        int overhead = written("").size();

        assertThat(writer.returned("x".repeat(MOST - overhead), MOST)).isNotEmpty();
        assertThat(writer.returned("x".repeat(MOST - overhead + 1), MOST)).isEmpty();
        assertThat(writer.returned("", 0)).isEmpty();
    }

    static Stream<Object> others() {
        return Stream.of(
                (StreamingOutput) out -> {},
                new ByteArrayInputStream(new byte[1]),
                new StringReader("x"),
                new File("x"),
                Stream.of("x"),
                List.of("x").iterator(),
                new Object(),
                42);
    }

    @ParameterizedTest
    @MethodSource("others")
    void whatIsNotKeptLeavesATombstone(Object value) {
        assertThat(writer.returned(value, MOST)).isEmpty();
    }

    @Test
    void anExceptionThatCarriesNoAnswerLeavesATombstone() {
        assertThat(writer.failed(new IllegalStateException("secret"), MOST)).isEmpty();
    }
}
