package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.SentRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueSelectorTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private static final Resolution MALFORMED_FIELD =
            new Resolution.NoKey("The form's field is malformed, or not of its charset; looked for form:id.");
    private static final Resolution NO_KEY = new Resolution.NoKey("No idempotency key: looked for form:id.");

    private static Resolution form(String body) {
        return form("application/x-www-form-urlencoded", body.getBytes(StandardCharsets.UTF_8));
    }

    private static Resolution form(String type, byte[] body) {
        return KeyExpressions.parse(List.of("form:id"), false)
                .resolve(new SentRequest().withHeader("Content-Type", type), body);
    }

    private static Resolution json(String body) {
        return KeyExpressions.parse(List.of("json:/id"), false)
                .resolve(new SentRequest(), body.getBytes(StandardCharsets.UTF_8));
    }

    private static Resolution found(String part) {
        return new Resolution.KeyParts(List.of(part));
    }

    @ParameterizedTest
    @CsvSource({
        "id=a, a",
        "x=1&id=a&y=2, a",
        "&&id=a&, a",
        "id=a+b, 'a b'",
        "id=a%20b, 'a b'",
        "id=a%2Bb%26c, a+b&c",
        "id=%C3%A9%E2%82%AC, é€",
        "%69d=a, a",
        "id=a=b, a=b",
        "ID=x&id=a, a"
    })
    void aFieldOfAFormIsDecoded(String body, String value) {
        assertThat(form(body)).isEqualTo(found(value));
    }

    @Test
    void charactersThatAFormDidNotEscapeAreTakenAsTheyAre() {
        assertThat(form("id=\u20AC")).isEqualTo(found("\u20AC"));
        assertThat(form("id=\u2603")).isEqualTo(found("\u2603"));
        assertThat(form("id=é%C3%A9")).isEqualTo(found("éé"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x=1", "id", "id=", "id=+", "=a", "x=id"})
    void aFieldThatIsNotThereOrBlankIsMissing(String body) {
        assertThat(form(body)).isEqualTo(NO_KEY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id=%",
                "id=%2",
                "id=%zz",
                "id=%-1",
                "id=%C3",
                "id=%FF",
                "id=%C0%AF",
                "id=%ED%A0%80",
                "id=%FF&id=a"
            })
    void aMalformedFieldIsUnusable(String body) {
        assertThat(form(body)).isEqualTo(MALFORMED_FIELD);
    }

    @Test
    void rawBytesThatAreNoUtf8MakeAFieldMalformed() {
        assertThat(form(FORM, new byte[] {'i', 'd', '=', (byte) 0xE9})).isEqualTo(MALFORMED_FIELD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id=a&x=%",
                "x=%zz&id=a",
                "%E2%82=1&id=a",
                "%=1&id=a",
                "address_name=Garc%EDa&charset=windows-1252&id=a"
            })
    void anotherFieldMayBeMalformedOrOfAnotherCharset(String body) {
        assertThat(form(body)).isEqualTo(found("a"));
    }

    @ParameterizedTest
    @CsvSource({
        "charset=windows-1252, id=%80%E9, €é",
        "charset=\"ISO-8859-1\", id=%E9, é",
        "boundary=x; Charset=iso-8859-1, id=%E9, é",
        "charset=utf-8, id=%C3%A9, é",
        "charset=unheard-of, id=%C3%A9, é",
        "charset=?, id=%C3%A9, é"
    })
    void aFieldIsOfTheCharsetThatItsFormNames(String parameters, String body, String value) {
        assertThat(form(FORM + "; " + parameters, body.getBytes(StandardCharsets.ISO_8859_1)))
                .isEqualTo(found(value));
    }

    @Test
    void aFieldOfTenThousandIsFound() {
        assertThat(form("x=1&".repeat(10_000) + "id=a")).isEqualTo(found("a"));
    }

    private static Resolution inForm(String expression, String body) {
        return KeyExpressions.parse(List.of(expression), false)
                .resolve(new SentRequest().withHeader("Content-Type", FORM), body.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "form:payload#/id, payload=%7B%22id%22%3A%22a%22%7D",
        "form:payload#/b/1/id, 'payload=%7B%22b%22:[0,{%22id%22:%22a%22}]}'",
        "json:/id|form:payload#/id, payload=%7B%22id%22%3A%22a%22%7D",
        "form:none#/id|form:id, id=a",
        "form:payload#/id|form:id, payload=&id=a",
        "form:payload#/none|form:id, payload=%7B%7D&id=a",
        "form:a#b, a%23b=a",
        "form:#/id, %23/id=a"
    })
    void theJsonInAFieldIsReadByAPointer(String expression, String body) {
        assertThat(inForm(expression, body)).isEqualTo(found("a"));
    }

    @Test
    void aFieldThatIsNoJsonIsUnusable() {
        assertThat(inForm("form:payload#/id|form:id", "payload=%7B&id=a"))
                .isEqualTo(
                        new Resolution.NoKey("The form's field is not well-formed JSON; looked for form:payload#/id."));
        assertThat(inForm("form:payload#/id|form:id", "payload=%FF&id=a"))
                .isEqualTo(new Resolution.NoKey(
                        "The form's field is malformed, or not of its charset; looked for form:payload."));
    }

    @Test
    void aFormHasNoJsonAndJsonThatIsCalledAFormIsRead() {
        assertThat(inForm("json:/id|form:id", "id=a")).isEqualTo(found("a"));
        assertThat(inForm("json:/id", "id=a"))
                .isEqualTo(new Resolution.NoKey("No idempotency key: looked for json:/id."));
        assertThat(inForm("json:/id", "{\"id\":\"a\"}")).isEqualTo(found("a"));
        assertThat(json("id=a"))
                .isEqualTo(new Resolution.NoKey("The body is not well-formed JSON; looked for json:/id."));
    }

    @Test
    void aFieldSentTwiceIsUnusable() {
        assertThat(form("id=a&id=a"))
                .isEqualTo(new Resolution.NoKey("The idempotency key in form:id was sent more than once."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "APPLICATION/X-WWW-FORM-URLENCODED",
                " application/x-www-form-urlencoded ;charset=UTF-8",
                "application/x-www-form-urlencoded;charset=utf-8"
            })
    void aFormIsKnownByItsMediaType(String type) {
        assertThat(form(type, "id=a".getBytes(StandardCharsets.UTF_8))).isEqualTo(found("a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/plain", "", "application/x-www-form-urlencoded2"})
    void aBodyOfAnotherTypeHasNoFields(String type) {
        assertThat(form(type, "id=a".getBytes(StandardCharsets.UTF_8))).isEqualTo(NO_KEY);
        assertThat(form(type, "%".getBytes(StandardCharsets.UTF_8))).isEqualTo(NO_KEY);
    }

    @Test
    void aBodyWithoutATypeHasNoFields() {
        assertThat(KeyExpressions.parse(List.of("form:id"), false)
                        .resolve(new SentRequest(), "id=a".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(NO_KEY);
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"id\":\"\\ud800\"}', is not valid Unicode",
        "'{\"id\":\"secret\\ud800x\"}', is not valid Unicode",
        "'{\"id\":\"secret\\udc00\"}', is not valid Unicode",
        "'{\"id\":\"secret\\n\"}', has a control character",
        "'{\"id\":\"\\u0000\"}', has a control character"
    })
    void aJsonStringThatIsNoKeyIsUnusableWithoutBeingShown(String body, String fault) {
        assertThat(json(body)).isEqualTo(new Resolution.NoKey("The idempotency key in json:/id " + fault + "."));
    }

    @Test
    void aKeyOfAMillionCharactersIsUnusable() {
        assertThat(json("{\"id\":\"" + "x".repeat(1_000_000) + "\"}"))
                .isEqualTo(new Resolution.NoKey("The idempotency key in json:/id is longer than 1024 characters."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "header:Name",
                "query:name",
                "path:name",
                "form:na me",
                "form:payload#/a~1b/0",
                "json:/a~1b/0",
                "json:",
                "body"
            })
    void anExpressionIsWrittenAsItWasRead(String expression) {
        assertThat(ValueSelector.parseAlternatives(expression))
                .singleElement()
                .extracting(ValueSelector::expression)
                .isEqualTo(expression);
    }
}
