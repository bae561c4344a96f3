package dev.exactlyonce.source;

import dev.exactlyonce.admission.Reply;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * What a sender asks with a GET, unsigned, before it sends anything: the challenge comes back. Only what cannot be taken for
 * a document is echoed. Immutable.
 */
public final class Challenge {
    /** Who asks. */
    public enum ChallengeKind {
        /** {@code hub.mode=subscribe}, with the token that was typed in at the sender. */
        META,
        /** {@code challenge}, from anybody. */
        DROPBOX
    }

    /** What the senders' challenges are made of. */
    static final Pattern ECHOED = Pattern.compile("[A-Za-z0-9_-]{1,256}");

    private static final Reply REFUSED =
            new Reply("challenge refused", 403, "text/plain", "The challenge was refused.");

    private final ChallengeKind kind;
    private final String token;

    /** @param token what {@code hub.verify_token} must be; without meaning for Dropbox */
    public Challenge(ChallengeKind kind, String token) {
        this.kind = kind;
        this.token = token;
    }

    /**
     * Nothing when the request is no challenge.
     *
     * @param query the decoded values of a query parameter
     */
    public Optional<Reply> answer(Function<String, List<String>> query) {
        return switch (kind) {
            case META ->
                query.apply("hub.mode").equals(List.of("subscribe"))
                        ? Optional.of(
                                isToken(query.apply("hub.verify_token")) ? echo(query.apply("hub.challenge")) : REFUSED)
                        : Optional.empty();
            case DROPBOX ->
                query.apply("challenge").isEmpty() ? Optional.empty() : Optional.of(echo(query.apply("challenge")));
        };
    }

    private boolean isToken(List<String> sent) {
        return sent.size() == 1
                && MessageDigest.isEqual(
                        sent.get(0).getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private static Reply echo(List<String> challenge) {
        return challenge.size() == 1 && ECHOED.matcher(challenge.get(0)).matches()
                ? new Reply("challenge", 200, "text/plain", challenge.get(0))
                : REFUSED;
    }
}
