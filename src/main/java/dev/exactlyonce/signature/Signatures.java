package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryVerifier;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;

/** Makes verifiers. Each throws an {@link IllegalArgumentException} for a secret that it cannot use. */
public final class Signatures {
    private Signatures() {}

    /**
     * One signature in a header.
     *
     * @param source the source's name, for the log
     */
    public static DeliveryVerifier header(
            String source, HeaderSignature.Scheme scheme, SecretRules rules, Secrets secrets, InstantSource clock) {
        return new HeaderSignature(scheme, new KeyRing(source, secrets, rules::key), clock);
    }

    /**
     * The signatures of Standard Webhooks, with secrets that begin with {@code whsec_} or with nothing, or public keys that
     * begin with {@code whpk_}.
     *
     * @param header the header with the signatures
     */
    public static DeliveryVerifier standardWebhooks(
            String source,
            String header,
            String idHeader,
            SigningTime time,
            int leastBytes,
            Secrets secrets,
            InstantSource clock) {
        StandardKeys keys = new StandardKeys(leastBytes);
        return new StandardWebhooks(
                new HeaderSignature(
                        scheme(header, "v1,", idHeader, time), new KeyRing(source, secrets, keys::shared), clock),
                new HeaderSignature(
                        scheme(header, "v1a,", idHeader, time), new KeyRing(source, secrets, keys::asymmetric), clock));
    }

    /** The hexadecimal HMAC-SHA256 of a text, as UTF-8, under the first of the secrets. */
    public static String hexHmac(String text, Secrets secrets) {
        byte[] key = secrets.get().get(0).getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(HmacKey.hmac("HmacSHA256", key, text.getBytes(StandardCharsets.UTF_8)));
    }

    private static HeaderSignature.Scheme scheme(String header, String prefix, String idHeader, SigningTime time) {
        return new HeaderSignature.Scheme(
                new SignatureHeader(
                        header, Optional.of(SignatureHeader.Separator.BLANK), prefix, SignatureEncoding.BASE64),
                SignedContent.parse("{id}.{timestamp}.{body}"),
                Optional.of(time),
                Optional.of(idHeader),
                Optional.empty());
    }
}
