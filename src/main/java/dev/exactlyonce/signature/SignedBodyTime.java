package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;
import java.time.InstantSource;
import java.util.Optional;

/** A signature over the body, and a timestamp in that body: looked at once the signature is right. Thread-safe. */
final class SignedBodyTime implements DeliveryVerifier {
    private static final Verification NO_TIME = Verification.refused("the body has no timestamp");

    private final DeliveryVerifier signature;
    private final JsonFields.Reader json;
    private final String pointer;
    private final Freshness freshness;
    private final InstantSource clock;

    SignedBodyTime(
            DeliveryVerifier signature,
            JsonFields.Reader json,
            String pointer,
            Freshness freshness,
            InstantSource clock) {
        this.signature = signature;
        this.json = json;
        this.pointer = pointer;
        this.freshness = freshness;
        this.clock = clock;
    }

    @Override
    public Verification verifyHeaders(DeliveryRequest request) {
        return signature.verifyHeaders(request);
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        Verification signed = signature.verify(request, body);
        if (!signed.isValid()) {
            return signed;
        }
        Optional<String> time = json.read(request, body).flatMap(it -> it.text(pointer));
        if (time.isEmpty()) {
            return NO_TIME;
        }
        return freshness.isRecent(time.get(), clock.instant()) ? signed : Freshness.STALE;
    }
}
