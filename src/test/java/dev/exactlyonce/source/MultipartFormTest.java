package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.SentRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartFormTest {
    private static final String TYPE = "multipart/form-data; boundary=";
    private static final Resolution NO_KEY = new Resolution.NoKey("No idempotency key: looked for form:id.");
    private static final Resolution NO_FORM =
            new Resolution.NoKey("The body is not a well-formed form; looked for form:id.");
    private static final Resolution MALFORMED_FIELD =
            new Resolution.NoKey("The form's field is malformed, or not of its charset; looked for form:id.");

    private static Resolution form(String type, byte[] body) {
        return KeyExpressions.parse(List.of("form:id"), false)
                .resolve(new SentRequest().withHeader("Content-Type", type), body);
    }

    private static Resolution form(String body) {
        return form(TYPE + "b", body.getBytes(StandardCharsets.UTF_8));
    }

    /** Parts as they are, with a boundary before each. */
    private static Resolution parts(String... parts) {
        StringBuilder body = new StringBuilder();
        for (String part : parts) {
            body.append("--b\r\n").append(part).append("\r\n");
        }
        return form(body + "--b--\r\n");
    }

    private static String part(String disposition, String value) {
        return "Content-Disposition: form-data" + disposition + "\r\n\r\n" + value;
    }

    private static Resolution found(String part) {
        return new Resolution.KeyParts(List.of(part));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "; name=\"id\"",
                ";name=id",
                "; Name=\"id\"",
                " ; x=\"a;b\\\"c\" ;\tname=\"\\i\\d\"",
                "; name*=UTF-8''id",
                "; name*=utf-8'en'%69d",
                "; name=\"id\"; name*=UTF-8''other",
                ";\r\n name=\"id\""
            })
    void aPartIsFoundByItsName(String disposition) {
        assertThat(parts(part("; name=\"x\"", "1"), part(disposition, "a"), part("; name=\"y\"", "2")))
                .isEqualTo(found("a"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "; name=\"ID\"",
                "; name=\"id",
                "; name=",
                "; name=\"x\"; name=\"id\"",
                "; name=\"id\"; filename=\"id.txt\"",
                "; name=\"id\"; filename*=UTF-8''id.txt",
                "; filename=\"\"; name=\"id\"",
                "; name*=ISO-8859-1''id",
                "; name*=id",
                "; xname=\"id\""
            })
    void aPartOfAnotherNameAndAFileAreNoFieldOfThisName(String disposition) {
        assertThat(parts(part(disposition, "a"))).isEqualTo(NO_KEY);
    }

    @Test
    void aPartThatIsNotFormDataOrHasNoHeadersIsNoField() {
        assertThat(parts("Content-Disposition: attachment; name=\"id\"\r\n\r\na"))
                .isEqualTo(NO_KEY);
        assertThat(parts("\r\na")).isEqualTo(NO_KEY);
        assertThat(parts("Content-Disposition: form-data; name=\"id\"")).isEqualTo(NO_KEY);
        assertThat(
                        parts(
                                "Content-Disposition: form-data; name=\"id\"\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\na"))
                .isEqualTo(NO_KEY);
    }

    @Test
    void aValueIsTakenAsItIsWithItsOwnLines() {
        assertThat(parts(part("; name=\"id\"", "a+b%20c"))).isEqualTo(found("a+b%20c"));
        assertThat(parts(part("; name=\"id\"", " a"))).isEqualTo(found(" a"));
        assertThat(parts(part("; name=\"id\"", ""))).isEqualTo(NO_KEY);
        assertThat(parts(part("; name=\"id\"", "a\r\n")))
                .isEqualTo(new Resolution.NoKey("The idempotency key in form:id has a control character."));
        assertThat(parts(part("; name=\"id\"", "a--b--c"))).isEqualTo(found("a--b--c"));
    }

    @Test
    void aFieldSentTwiceIsUnusable() {
        assertThat(parts(part("; name=\"id\"", "a"), part("; name=\"id\"", "a")))
                .isEqualTo(new Resolution.NoKey("The idempotency key in form:id was sent more than once."));
    }

    @Test
    void whatStandsBeforeAndBehindTheFormIsNoPartOfIt() {
        String form = "--b\r\n" + part("; name=\"id\"", "a") + "\r\n--b--";
        for (String body : List.of(
                form,
                form + "\r\n",
                form + " \r\n--b\r\n",
                "\r\n" + form,
                "preamble\r\n--c\r\n\r\n" + form,
                "--bb\r\n" + form)) {
            assertThat(form(body)).as(body).isEqualTo(body.startsWith("--bb") ? NO_FORM : found("a"));
        }
        assertThat(form("--b \t\r\n" + part("; name=\"id\"", "a") + "\r\n--b--"))
                .isEqualTo(found("a"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--b",
                "--b\r\n",
                "id=a",
                "--b\nContent-Disposition: form-data; name=\"id\"\n\na\n--b--\n",
                "--b\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\na",
                "--b\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\na\r\n--b",
                "--b\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\na\r\n--b-",
                "--b\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\na\r\n--bc\r\n\r\n--b--",
                "--c\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\na\r\n--c--"
            })
    void whatIsCutOffOrHasOtherBoundariesOrLineEndsIsNoForm(String body) {
        assertThat(form(body)).isEqualTo(NO_FORM);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=\"b ",
                "multipart/form-data; boundary=\"b \"",
                "multipart/form-data; boundary=\"\"",
                "multipart/form-data; boundary=\"b\u00e9\"",
                "multipart/form-data; boundary=" // and 71 characters
                        + "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
            })
    void aFormWithoutAProperBoundaryIsNone(String type) {
        assertThat(form(type, "--b--".getBytes(StandardCharsets.UTF_8))).isEqualTo(NO_FORM);
    }

    @Test
    void aBoundaryMayBeQuotedAndHaveAnyOfItsCharacters() {
        String boundary = "----=_Part'()+_,-./:=? 1";
        String body = "--" + boundary + "\r\n" + part("; name=\"id\"", "a") + "\r\n--" + boundary + "--";
        assertThat(form(
                        "Multipart/Form-Data ;charset=utf-8; boundary=\"" + boundary + "\"",
                        body.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(found("a"));
    }

    @Test
    void aValueIsOfTheCharsetOfItsPart() throws Exception {
        for (String type : List.of("", "Content-Type: text/plain\r\n", "Content-Type: text/plain;charset=utf-8\r\n")) {
            assertThat(valueOf(type, new byte[] {(byte) 0xC3, (byte) 0xA9})).isEqualTo(found("é"));
            assertThat(valueOf(type, new byte[] {(byte) 0xE9})).isEqualTo(MALFORMED_FIELD);
        }
        assertThat(valueOf("content-type: text/plain; charset=windows-1252\r\n", new byte[] {(byte) 0xE9}))
                .isEqualTo(found("é"));
    }

    @Test
    void aValueThatIsEncodedOnceMoreIsMalformed() throws Exception {
        for (String encoding : List.of("7bit", "8BIT", "binary")) {
            assertThat(valueOf("Content-Transfer-Encoding: " + encoding + "\r\n", new byte[] {'a'}))
                    .isEqualTo(found("a"));
        }
        for (String encoding : List.of("base64", "quoted-printable", "x")) {
            assertThat(valueOf("Content-Transfer-Encoding: " + encoding + "\r\n", new byte[] {'a'}))
                    .isEqualTo(MALFORMED_FIELD);
        }
    }

    private static Resolution valueOf(String headers, byte[] value) throws Exception {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(("--b\r\n" + headers + part("; name=\"id\"", "")).getBytes(StandardCharsets.US_ASCII));
        body.write(value);
        body.write("\r\n--b--".getBytes(StandardCharsets.US_ASCII));
        return form(TYPE + "b", body.toByteArray());
    }

    @Test
    void largeFilesManyPartsAndLongHeadersAreReadInOnePass() {
        String almost = "\r\n--" + "b".repeat(69) + "c"; // almost the boundary, again and again
        String large = part("; name=\"file\"; filename=\"x\"", almost.repeat(20_000));
        String many = ("--" + "b".repeat(70) + "\r\n" + part("; name=\"x\"", "1") + "\r\n").repeat(20_000);
        String longHeader = part("; x=\"" + "\\\"".repeat(500_000) + "\"; name=\"y\"", "1");
        String body = many + "--" + "b".repeat(70) + "\r\n" + large + "\r\n--" + "b".repeat(70) + "\r\n" + longHeader
                + "\r\n--" + "b".repeat(70) + "\r\n" + part("; name=\"id\"", "a") + "\r\n--" + "b".repeat(70) + "--";
        assertThat(form(TYPE + "b".repeat(70), body.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(found("a"));
    }
}
