package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.SentRequest;
import dev.exactlyonce.common.Digests;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyExpressionsTest {
    private static final byte[] NO_BODY = {};

    private static Resolution resolve(SentRequest request, String... expressions) {
        return KeyExpressions.parse(List.of(expressions), false).resolve(request, NO_BODY);
    }

    private static Resolution found(String... parts) {
        return new Resolution.KeyParts(List.of(parts));
    }

    private static Resolution unusable(String reason) {
        return new Resolution.NoKey(reason);
    }

    @Test
    void byDefaultTheKeyIsAnIdempotencyKeyOrAStandardWebhooksId() {
        KeyExpressions byDefault = KeyExpressions.parse(KeyExpressions.DEFAULT, false);
        assertThat(byDefault.resolve(new SentRequest().withHeader("idempotency-key", "a"), NO_BODY))
                .isEqualTo(found("a"));
        assertThat(byDefault.resolve(new SentRequest().withHeader("Webhook-Id", "b"), NO_BODY))
                .isEqualTo(found("b"));
        assertThat(byDefault.resolve(new SentRequest(), NO_BODY))
                .isEqualTo(unusable("No idempotency key: looked for header:Idempotency-Key|header:webhook-id."));
    }

    @Test
    void aBlankAlternativeTriesTheNext() {
        SentRequest request = new SentRequest().withHeader("A", " \t").withHeader("B", "b");
        assertThat(resolve(request, "header:A|header:B")).isEqualTo(found("b"));
        assertThat(resolve(request, "header:A | query:none | header:B")).isEqualTo(found("b"));
        assertThat(resolve(request, "header:A")).isEqualTo(unusable("No idempotency key: looked for header:A."));
    }

    @Test
    void theFirstAlternativeThatIsThereWins() {
        SentRequest request = new SentRequest().withHeader("A", "a").withHeader("B", "b");
        assertThat(resolve(request, "header:B|header:A")).isEqualTo(found("b"));
    }

    @Test
    void aMalformedAlternativeIsRefusedAndNeverSkipped() {
        SentRequest request = new SentRequest().withHeader("A", "secret\u0001").withHeader("B", "b");
        assertThat(resolve(request, "header:A|header:B"))
                .isEqualTo(unusable("The idempotency key in header:A has a control character."));
    }

    @Test
    void partsKeepTheirOrderAndEveryOneMustBeThere() {
        SentRequest request = new SentRequest().withPath("account", "acme").withQuery("id", "42");
        assertThat(resolve(request, "path:account", "query:id")).isEqualTo(found("acme", "42"));
        assertThat(resolve(request, "query:id", "path:account")).isEqualTo(found("42", "acme"));
        assertThat(resolve(request, "path:account", "header:id"))
                .isEqualTo(unusable("No idempotency key: looked for header:id."));
    }

    @Test
    void aValueSentTwiceIsRefusedEvenWhenBothAreEqual() {
        SentRequest request = new SentRequest()
                .withHeader("A", "same")
                .withHeader("a", "same")
                .withQuery("q", "1")
                .withQuery("q", "2");
        assertThat(resolve(request, "header:A"))
                .isEqualTo(unusable("The idempotency key in header:A was sent more than once."));
        assertThat(resolve(request, "query:q|header:other"))
                .isEqualTo(unusable("The idempotency key in query:q was sent more than once."));
    }

    @ParameterizedTest
    @ValueSource(ints = {1025, 1_000_000})
    void anOverlongValueIsRefusedWithoutBeingShown(int length) {
        assertThat(resolve(new SentRequest().withHeader("A", "x".repeat(length)), "header:A"))
                .isEqualTo(unusable("The idempotency key in header:A is longer than 1024 characters."));
    }

    @Test
    void theBodysDigestStandsInForAMissingPartWhereTheSourceSaysSo() {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        KeyExpressions keys = KeyExpressions.parse(List.of("path:account", "header:A"), true);
        assertThat(keys.resolve(new SentRequest().withPath("account", "acme"), body))
                .isEqualTo(found("acme", Digests.sha256Hex(body)));
        assertThat(keys.withBodyStandingIn(false).resolve(new SentRequest().withPath("account", "acme"), body))
                .isEqualTo(unusable("No idempotency key: looked for header:A."));
    }

    @Test
    void theBodysDigestDoesNotStandInForAMalformedPart() {
        KeyExpressions keys = KeyExpressions.parse(List.of("header:A"), true);
        assertThat(keys.resolve(new SentRequest().withHeader("A", "1").withHeader("A", "2"), NO_BODY))
                .isInstanceOf(Resolution.NoKey.class);
        assertThat(KeyExpressions.parse(List.of("json:/id"), true).resolve(new SentRequest(), new byte[] {'{'}))
                .isInstanceOf(Resolution.NoKey.class);
    }

    @Test
    void theBodyMayBeTheKeyItself() {
        byte[] body = {1, 2, 3};
        assertThat(KeyExpressions.parse(List.of("header:A|body"), false).resolve(new SentRequest(), body))
                .isEqualTo(found(Digests.sha256Hex(body)));
    }

    @Test
    void thePathParametersThatAreNamedAreKnown() {
        assertThat(KeyExpressions.parse(List.of("path:a|header:b", "query:c|path:d", "path:a"), false)
                        .pathParameters())
                .containsExactlyInAnyOrder("a", "d");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "|",
                "header:A|",
                "header:A||header:B",
                "header",
                "header:",
                "header:A B",
                "header:Ä",
                "header:a:b",
                "header:a\"b",
                "query:",
                "query: ",
                "path",
                "path:",
                "form:",
                "form: a",
                "form:a#/~2",
                "form:a#/~",
                "json",
                "json:a",
                "json:/~2",
                "json:/a/~",
                "json:/~",
                "body:",
                "body:x",
                "cookie:a",
                "Header:A",
                "HEADER:A",
                ":",
                ":a",
                "sha256-x"
            })
    void whatIsNoExpressionIsRefusedWithWhatIsAllowed(String expression) {
        assertThatThrownBy(() -> KeyExpressions.parse(List.of("header:Fine", expression), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(
                        "allowed: header:Name, query:name, path:name, form:name, form:name#/pointer, json:/pointer, body or signature, separated by '|'");
    }

    @Test
    void anExpressionIsNeeded() {
        assertThatThrownBy(() -> KeyExpressions.parse(List.of(), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the idempotency key needs at least one expression");
    }
}
