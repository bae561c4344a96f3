package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Digests;
import dev.exactlyonce.admission.Verification;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * A signature in the body, over a timestamp and a token beside it. The rest of the body is not signed: the token has to be
 * the key, so that one signature admits one delivery. Thread-safe.
 */
final class MailgunSignature implements DeliveryVerifier {
    /** An event of a subaccount is signed with the key of its account, too. */
    private static final List<String> SIGNATURES = List.of("/signature/signature", "/signature/parent-signature");

    private static final Verification MISSING =
            Verification.refused("the body has no signature with a timestamp and a token");

    private final KeyRing keys;
    private final JsonFields.Reader json;
    private final Freshness freshness;
    private final InstantSource clock;

    MailgunSignature(KeyRing keys, JsonFields.Reader json, Freshness freshness, InstantSource clock) {
        this.keys = keys;
        this.json = json;
        this.freshness = freshness;
        this.clock = clock;
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        Optional<JsonFields> fields = json.read(body);
        Optional<String> time = fields.flatMap(it -> it.text("/signature/timestamp"));
        Optional<String> token = fields.flatMap(it -> it.text("/signature/token"));
        List<byte[]> signatures = SIGNATURES.stream()
                .flatMap(pointer -> fields.flatMap(it -> it.text(pointer)).stream())
                .flatMap(text -> SignatureEncoding.HEX.decode(text).stream())
                .toList();
        if (time.isEmpty() || token.isEmpty() || signatures.isEmpty()) {
            return MISSING;
        }
        if (!freshness.isRecent(time.get(), clock.instant())) {
            return Freshness.STALE;
        }
        byte[] content = (time.get() + token.get()).getBytes(StandardCharsets.UTF_8);
        return keys.verify(List.of(content), signatures)
                .signed()
                .map(it -> Verification.signed(it.signature(), Digests.sha256Hex(content)))
                .orElse(HeaderSignature.WRONG);
    }
}
