package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.rest.StoredAnswer.BodyForm;
import dev.exactlyonce.rest.StoredAnswer.ReplayedHeader;
import dev.exactlyonce.spi.RecordedAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredAnswerTest {
    @ParameterizedTest
    @EnumSource
    void anAnswerIsReadBackByteForByteWithItsHeadersInTheirOrder(BodyForm form) {
        byte[] body = new byte[65_536];
        new Random(3).nextBytes(body);
        List<ReplayedHeader> headers = List.of(
                new ReplayedHeader("Link", "</a>; rel=next"),
                new ReplayedHeader("Link", "</b>; rel=prev"),
                new ReplayedHeader("ETag", "\"é\""));
        String content = new StoredAnswer(form, headers, body).encode();

        assertThat(new RecordedAnswer(200, content).content()).isEqualTo(content);
        StoredAnswer back = StoredAnswer.decode(content).orElseThrow();
        assertThat(back.form()).isEqualTo(form);
        assertThat(back.headers()).isEqualTo(headers);
        assertThat(back.body()).isEqualTo(body);
    }

    @Test
    void theSizeIsThatOfHeadersAndBodyBeforeBase64() {
        StoredAnswer answer = new StoredAnswer(
                BodyForm.TEXT, List.of(new ReplayedHeader("ETag", "x")), "body".getBytes(StandardCharsets.UTF_8));

        assertThat(answer.size()).isEqualTo(Base64.getUrlDecoder().decode(answer.encode()).length);
    }

    @Test
    void aHeaderThatIsTooLongForTheFormIsNotWritten() {
        StoredAnswer answer =
                new StoredAnswer(BodyForm.NONE, List.of(new ReplayedHeader("Link", "x".repeat(70_000))), new byte[0]);

        assertThatThrownBy(answer::encode).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "AA", "AQ", "Am4AAA", "AXgAAA", "AW4AAQ", "AW4AAf__", "AW7__w"})
    void whatCannotBeReadIsNoAnswer(String content) {
        assertThat(StoredAnswer.decode(content)).isEmpty();
    }
}
