package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * A shared secret that the sender sends as it is: it identifies the sender and protects nothing of the content. Compared in
 * constant time. Thread-safe.
 */
final class SentToken implements DeliveryVerifier {
    private static final Verification MISSING = Verification.refused("the token is missing or repeated");
    private static final Verification WRONG = Verification.refused("the token does not match");

    private final SecretPlace place;
    private final KeyRing tokens;
    private final JsonFields.Reader json;

    SentToken(SecretPlace place, KeyRing tokens, JsonFields.Reader json) {
        this.place = place;
        this.tokens = tokens;
        this.json = json;
    }

    static VerifyingKey key(String secret) {
        SecretRules.refuseSlips(secret);
        byte[] token = secret.getBytes(StandardCharsets.UTF_8);
        return (content, sent) ->
                sent.stream().filter(it -> MessageDigest.isEqual(token, it)).findFirst();
    }

    static VerifyingKey credentials(String secret) {
        if (secret.indexOf(':') < 1) {
            throw new IllegalArgumentException("this is not user:password");
        }
        return key(secret);
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        List<List<byte[]>> sent = place.sent(request, body, json);
        if (sent.isEmpty()) {
            return MISSING;
        }
        return sent.stream().allMatch(it -> tokens.match(List.of(), it).isPresent()) ? Verification.VALID : WRONG;
    }

    @Override
    public Verification verifyHeaders(DeliveryRequest request) {
        return place.isBeforeTheBody() ? verify(request, new byte[0]) : Verification.VALID;
    }
}
