package dev.exactlyonce.source;

import dev.exactlyonce.admission.Reply;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * What a sender asks, unsigned, before it sends anything: the challenge comes back, or its HMAC. Only what consists of the
 * sender's alphabet is echoed. Immutable.
 */
public final class Challenge {
    /** Who asks. */
    public enum ChallengeKind {
        /** {@code hub.mode=subscribe}, with the token that was typed in at the sender. */
        META("GET"),
        /** {@code challenge}, from anyone. */
        DROPBOX("GET"),
        /** A header, which comes back as JSON. */
        OKTA("GET"),
        /** {@code crc_token}, whose HMAC comes back. */
        X("GET"),
        /** {@code challengeCode}, which comes back with its HMAC. */
        LINKEDIN("GET"),
        /** {@code validationToken} of a POST. */
        GRAPH("POST"),
        /** A header with a new secret, of a POST without a signature; it comes back as a header. */
        ASANA("POST"),
        /** The origin that wants to send: CloudEvents' protection against abuse. */
        CLOUDEVENTS("OPTIONS");

        private final String method;

        ChallengeKind(String method) {
            this.method = method;
        }

        /** The HTTP method that it is asked with. */
        public String method() {
            return method;
        }
    }

    /**
     * The answer.
     *
     * @param headers beside the usual ones
     */
    public record ChallengeAnswer(Reply reply, Map<String, String> headers) {
        public ChallengeAnswer {
            headers = Map.copyOf(headers);
        }
    }

    /** What most senders' challenges are made of. */
    static final Pattern ECHOED = Pattern.compile("[A-Za-z0-9_-]{1,256}");

    /** Microsoft's is a sentence with an id in it. */
    static final Pattern SENTENCE = Pattern.compile("[A-Za-z0-9 :.,;=+/_-]{1,512}");

    /** RFC 1123: a host's name. */
    static final Pattern ORIGIN = Pattern.compile("[A-Za-z0-9.-]{1,253}");

    private static final String JSON = "application/json";
    private static final ChallengeAnswer REFUSED =
            plain(new Reply("challenge refused", 403, "text/plain", "The challenge was refused."));

    private final ChallengeKind kind;
    private final String token;
    private final UnaryOperator<String> sign;

    /**
     * @param token what {@code hub.verify_token} must be; without meaning for the others
     * @param sign the hexadecimal HMAC-SHA256 of a text under the source's secret
     */
    public Challenge(ChallengeKind kind, String token, UnaryOperator<String> sign) {
        this.kind = kind;
        this.token = token;
        this.sign = sign;
    }

    /** The HTTP method that it is asked with. */
    public String method() {
        return kind.method();
    }

    /**
     * Nothing when the request is not a challenge.
     *
     * @param query the decoded values of a query parameter
     * @param header the values of a header
     */
    public Optional<ChallengeAnswer> answer(
            Function<String, List<String>> query, Function<String, List<String>> header) {
        return switch (kind) {
            case META ->
                query.apply("hub.mode").equals(List.of("subscribe"))
                        ? Optional.of(
                                isToken(query.apply("hub.verify_token"))
                                        ? text(query.apply("hub.challenge"), ECHOED)
                                        : REFUSED)
                        : Optional.empty();
            case DROPBOX -> where(query.apply("challenge"), it -> text(it, ECHOED));
            case GRAPH -> where(query.apply("validationToken"), it -> text(it, SENTENCE));
            case OKTA ->
                where(
                        header.apply("x-okta-verification-challenge"),
                        it -> json(it, code -> "{\"verification\":\"" + code + "\"}"));
            case X ->
                where(
                        query.apply("crc_token"),
                        it -> json(it, code -> "{\"response_token\":\"sha256=" + base64(sign.apply(code)) + "\"}"));
            case LINKEDIN ->
                where(
                        query.apply("challengeCode"),
                        it -> json(
                                it,
                                code -> "{\"challengeCode\":\"" + code + "\",\"challengeResponse\":\""
                                        + sign.apply(code) + "\"}"));
            case ASANA ->
                where(header.apply("X-Hook-Secret"), it -> header(it, ECHOED, code -> Map.of("X-Hook-Secret", code)));
            case CLOUDEVENTS ->
                where(
                        header.apply("WebHook-Request-Origin"),
                        it -> header(
                                it,
                                ORIGIN,
                                origin -> Map.of("WebHook-Allowed-Origin", origin, "WebHook-Allowed-Rate", "*")));
        };
    }

    private boolean isToken(List<String> sent) {
        return sent.size() == 1
                && MessageDigest.isEqual(
                        sent.get(0).getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<ChallengeAnswer> where(List<String> asked, Function<List<String>, ChallengeAnswer> answer) {
        return asked.isEmpty() ? Optional.empty() : Optional.of(answer.apply(asked));
    }

    private static ChallengeAnswer text(List<String> challenge, Pattern alphabet) {
        return of(challenge, alphabet)
                .map(it -> plain(new Reply("challenge", 200, "text/plain", it)))
                .orElse(REFUSED);
    }

    private static ChallengeAnswer json(List<String> challenge, UnaryOperator<String> document) {
        return of(challenge, ECHOED)
                .map(it -> plain(new Reply("challenge", 200, JSON, document.apply(it))))
                .orElse(REFUSED);
    }

    private static ChallengeAnswer header(
            List<String> challenge, Pattern alphabet, Function<String, Map<String, String>> headers) {
        return of(challenge, alphabet)
                .map(it -> new ChallengeAnswer(new Reply("challenge", 200, "text/plain", ""), headers.apply(it)))
                .orElse(REFUSED);
    }

    private static Optional<String> of(List<String> challenge, Pattern alphabet) {
        return challenge.size() == 1
                ? Optional.of(challenge.get(0))
                        .filter(it -> alphabet.matcher(it).matches())
                : Optional.empty();
    }

    private static ChallengeAnswer plain(Reply reply) {
        return new ChallengeAnswer(reply, Map.of());
    }

    private static String base64(String hex) {
        return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex));
    }
}
