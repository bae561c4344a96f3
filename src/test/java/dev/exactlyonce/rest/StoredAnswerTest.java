package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.RecordedAnswer;
import dev.exactlyonce.rest.StoredAnswer.Form;
import dev.exactlyonce.rest.StoredAnswer.Header;
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
    void anAnswerIsReadBackByteForByteWithItsHeadersInTheirOrder(Form form) {
        byte[] body = new byte[65_536];
        new Random(3).nextBytes(body);
        List<Header> headers = List.of(
                new Header("Link", "</a>; rel=next"),
                new Header("Link", "</b>; rel=prev"),
                new Header("ETag", "\"é\""));
        String content = new StoredAnswer(form, headers, body).encode();

        assertThat(new RecordedAnswer(200, content).content()).isEqualTo(content);
        StoredAnswer back = StoredAnswer.decode(content).orElseThrow();
        assertThat(back.form()).isEqualTo(form);
        assertThat(back.headers()).isEqualTo(headers);
        assertThat(back.body()).isEqualTo(body);
    }

    @Test
    void theSizeIsThatOfHeadersAndBodyBeforeBase64() {
        StoredAnswer answer =
                new StoredAnswer(Form.TEXT, List.of(new Header("ETag", "x")), "body".getBytes(StandardCharsets.UTF_8));

        assertThat(answer.size()).isEqualTo(Base64.getUrlDecoder().decode(answer.encode()).length);
    }

    @Test
    void aHeaderThatIsTooLongForTheFormIsNotWritten() {
        StoredAnswer answer = new StoredAnswer(Form.NONE, List.of(new Header("Link", "x".repeat(70_000))), new byte[0]);

        assertThatThrownBy(answer::encode).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "AA", "AQ", "Am4AAA", "AXgAAA", "AW4AAQ", "AW4AAf__", "AW7__w"})
    void whatCannotBeReadIsNoAnswer(String content) {
        assertThat(StoredAnswer.decode(content)).isEmpty();
    }
}
