package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.signature.Freshness;
import dev.exactlyonce.signature.HeaderSignature;
import dev.exactlyonce.signature.PublicUrl;
import dev.exactlyonce.signature.SecretRules;
import dev.exactlyonce.signature.Secrets;
import dev.exactlyonce.signature.Signatures;
import dev.exactlyonce.signature.SignedContent;
import dev.exactlyonce.signature.SigningTime;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Reads a signature in a header: what is signed, and where it stands. */
final class HeaderSignatureReader {
    private final ConfigReader values;
    private final SignatureLines lines;
    private final boolean isNumbered;
    private final PublicUrl.UrlForm form;

    HeaderSignatureReader(ConfigReader values, SignatureLines lines, boolean isNumbered, PublicUrl.UrlForm form) {
        this.values = values;
        this.lines = lines;
        this.isNumbered = isNumbered;
        this.form = form;
    }

    /** Where the timestamp is in the signed body, and its format. */
    record BodyTime(String pointer, Freshness freshness) {}

    /** All but the secrets. */
    record Read(HeaderSignature.Scheme scheme, SecretRules rules, Optional<BodyTime> bodyTime) {
        DeliveryVerifier verifier(String source, Secrets secrets, InstantSource clock) {
            DeliveryVerifier signature = Signatures.header(source, scheme, rules, secrets, clock);
            return bodyTime.map(it -> Signatures.withTimeInBody(
                            signature, JsonBodyFields::read, it.pointer(), it.freshness(), clock))
                    .orElse(signature);
        }
    }

    /** Nothing where something is wrong with it. */
    Optional<Read> read() {
        List<String> headers = lines.signatureHeaders();
        if (headers.isEmpty()) {
            values.problem(
                    SignatureSettings.SIGNATURE_HEADER, "the preset hmac needs it: the header with the signature");
            return Optional.empty();
        }
        SignedContent content = values.get(SignatureSettings.SIGNED_CONTENT);
        if (!content.holds("body") && !lines.leavesTheBodyUnsigned()) {
            values.problem(
                    SignatureSettings.SIGNED_CONTENT,
                    "{body} is not in it: one signature would be good for every body");
            return Optional.empty();
        }
        if (content.canBeCutElsewhere()) {
            lines.warnOfChosen(
                    SignatureSettings.SIGNED_CONTENT,
                    "nothing separates the signed parts: anyone who has seen a delivery can move"
                            + " characters from one to the other, and the signature is right");
        }
        Optional<PublicUrl> url = Optional.empty();
        if (content.holds("url")) {
            url = lines.publicUrl(form);
            if (url.isEmpty()) {
                return Optional.empty();
            }
        } else {
            lines.refuseUrl();
        }
        SecretRules rules = lines.secretRules();
        Optional<SigningTime> time = lines.signingTime();
        Optional<String> pointer = timePointer(time);
        if (time.isEmpty() && pointer.isEmpty()) {
            lines.refuseTolerance();
            lines.refuseChosen(
                    SignatureSettings.TIMESTAMP_FORMAT, "no setting says where the timestamp of a delivery is");
        }
        if (!content.holds("id")) {
            lines.refuseChosen(SignatureSettings.ID_HEADER, "{id} is not in the signed content");
        }
        if (values.isSet(SignatureSettings.TIMESTAMP_HEADER)) {
            lines.refuseChosen(SignatureSettings.TIMESTAMP_PREFIX, "timestamp-header is set, too; set one of them");
        }
        HeaderSignature.Scheme scheme;
        try {
            scheme = new HeaderSignature.Scheme(
                    lines.signatureHeader(headers, isNumbered),
                    content,
                    time,
                    values.find(SignatureSettings.ID_HEADER),
                    url);
        } catch (IllegalArgumentException contradiction) {
            values.problem(SignatureSettings.SIGNED_CONTENT, String.valueOf(contradiction.getMessage()));
            return Optional.empty();
        }
        return Optional.of(new Read(scheme, rules, pointer.map(it -> new BodyTime(it, lines.freshness()))));
    }

    private Optional<String> timePointer(Optional<SigningTime> time) {
        Optional<String> pointer = values.find(SignatureSettings.TIMESTAMP_JSON);
        if (pointer.isPresent() && time.isPresent()) {
            values.problem(SignatureSettings.TIMESTAMP_JSON, "a header for the timestamp is set, too; set one of them");
        }
        return pointer;
    }
}
