package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * A secret that the sender sends along as it is: it tells who sends, and nothing of what is sent. Thread-safe.
 */
final class SentToken implements DeliveryVerifier {
    private static final Verification MISSING = Verification.refused("the token is missing or repeated");
    private static final Verification WRONG = Verification.refused("the token is another one");

    private final String header;
    private final KeyRing tokens;

    SentToken(String header, KeyRing tokens) {
        this.header = header;
        this.tokens = tokens;
    }

    static VerifyingKey key(String secret) {
        SecretRules.refuseSlips(secret);
        byte[] token = secret.getBytes(StandardCharsets.UTF_8);
        return (content, sent) ->
                sent.stream().filter(it -> MessageDigest.isEqual(token, it)).findFirst();
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        return verifyHeaders(request);
    }

    @Override
    public Verification verifyHeaders(DeliveryRequest request) {
        List<String> sent = request.header(header);
        if (sent.size() != 1) {
            return MISSING;
        }
        return tokens.match(List.of(), List.of(sent.get(0).getBytes(StandardCharsets.UTF_8)))
                        .isPresent()
                ? Verification.VALID
                : WRONG;
    }
}
