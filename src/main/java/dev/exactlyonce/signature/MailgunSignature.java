package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;
import dev.exactlyonce.common.Digests;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A signature in the body, over a timestamp and a token beside it: in JSON for events, in the fields of a form for what a
 * route forwards. The rest of the body is not signed: the token has to be the key, so that one signature admits one
 * delivery. Which of the two a body is, its type alone decides, as it does for the key: a body that is both would have two
 * tokens. Thread-safe.
 */
final class MailgunSignature implements DeliveryVerifier {
    /** An event of a subaccount is signed with the key of its account, too. */
    private static final List<String> SIGNATURES = List.of("signature", "parent-signature");

    private static final String IN_JSON = "/signature/";

    private static final Verification MISSING =
            Verification.refused("the body has no signature with a timestamp and a token");

    private final KeyRing keys;
    private final JsonFields.Reader json;
    private final FormReader forms;
    private final Freshness freshness;
    private final InstantSource clock;

    MailgunSignature(KeyRing keys, JsonFields.Reader json, FormReader forms, Freshness freshness, InstantSource clock) {
        this.keys = keys;
        this.json = json;
        this.forms = forms;
        this.freshness = freshness;
        this.clock = clock;
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        Function<String, Optional<String>> fields = fields(request, body);
        Optional<String> time = fields.apply("timestamp");
        Optional<String> token = fields.apply("token").filter(it -> !it.isBlank());
        List<byte[]> signatures = SIGNATURES.stream()
                .flatMap(name -> fields.apply(name).stream())
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

    private Function<String, Optional<String>> fields(DeliveryRequest request, byte[] body) {
        if (forms.isForm(request)) {
            return name -> forms.field(request, body, name);
        }
        Optional<JsonFields> fields = json.read(request, body);
        return name -> fields.flatMap(it -> it.text(IN_JSON + name));
    }
}
