package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryVerifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
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

    /** The same with a timestamp in the signed body, at a JSON pointer. */
    public static DeliveryVerifier withTimeInBody(
            DeliveryVerifier signature,
            JsonFields.Reader json,
            String pointer,
            Freshness freshness,
            InstantSource clock) {
        return new SignedBodyTime(signature, json, pointer, freshness, clock);
    }

    /** The same for a body that must be one JSON object or array. */
    public static DeliveryVerifier ofJson(DeliveryVerifier signature, JsonFields.Reader json) {
        return new SignedJsonBody(signature, json);
    }

    /** The secret itself, which the sender sends along. */
    public static DeliveryVerifier token(String source, SecretPlace place, JsonFields.Reader json, Secrets secrets) {
        return new SentToken(
                place,
                new KeyRing(
                        source,
                        secrets,
                        place.equals(SecretPlace.CREDENTIALS) ? SentToken::credentials : SentToken::key),
                json);
    }

    /** Mailgun's: in the body, JSON or a form, over a timestamp and a token in it. */
    public static DeliveryVerifier mailgun(
            String source,
            JsonFields.Reader json,
            FormReader forms,
            Freshness freshness,
            SecretRules rules,
            Secrets secrets,
            InstantSource clock) {
        return new MailgunSignature(new KeyRing(source, secrets, rules::key), json, forms, freshness, clock);
    }

    /** That of Adyen's payment notifications: in each item, over its fields. */
    public static DeliveryVerifier adyen(String source, JsonFields.Reader json, SecretRules rules, Secrets secrets) {
        return new AdyenSignature(new KeyRing(source, secrets, rules::key), json);
    }

    /** Twilio's: in a header, over the address and the form's fields. */
    public static DeliveryVerifier twilio(
            String source, String header, PublicUrl url, SecretRules rules, Secrets secrets) {
        return new TwilioSignature(
                SignatureHeader.plain(header, SignatureEncoding.BASE64), new KeyRing(source, secrets, rules::key), url);
    }

    /**
     * PayPal's: in a header, with a key whose certificate is fetched from PayPal.
     *
     * @param webhookIds what stands in for secrets: the ids of the webhooks
     */
    public static DeliveryVerifier payPal(Freshness freshness, Secrets webhookIds, InstantSource clock) {
        CertifiedKeys keys = new CertifiedKeys(
                new HttpsDownload(JdkTrust::tls, HttpsDownload.PATIENCE),
                new CertificateTrust(JdkTrust::anchors),
                clock);
        return new PayPalSignature(webhookIds, keys, freshness, clock);
    }

    /**
     * That of AWS SNS: in the body, with a key whose certificate is fetched from AWS.
     *
     * @param topics what stands in for secrets: the ARNs of the topics
     */
    public static DeliveryVerifier sns(
            JsonFields.Reader json, Freshness freshness, Secrets topics, InstantSource clock) {
        return new SnsSignature(
                json,
                topics,
                Map.of("1", sns("SHA1withRSA", clock), "2", sns("SHA256withRSA", clock)),
                freshness,
                clock);
    }

    private static CertifiedKeys sns(String algorithm, InstantSource clock) {
        return new CertifiedKeys(
                new HttpsDownload(JdkTrust::tls, HttpsDownload.PATIENCE),
                new CertificateTrust(JdkTrust::anchors, ".amazonaws.com", algorithm),
                clock);
    }

    /**
     * Confirms a subscription of AWS SNS by a call of its address, within a few seconds.
     *
     * @return whether the address is one of AWS, and answered 200
     */
    public static boolean confirmSns(String url) {
        return CertificateAddress.snsConfirmation(url)
                .filter(it -> {
                    try {
                        return new HttpsDownload(JdkTrust::tls, HttpsDownload.PATIENCE).get(it).length > 0;
                    } catch (IOException unreachable) {
                        return false;
                    }
                })
                .isPresent();
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

    /**
     * Either of two, by the headers that were sent.
     *
     * @param names the headers that the first is read from: one of them is enough
     */
    public static DeliveryVerifier whiteLabelled(List<String> names, DeliveryVerifier own, DeliveryVerifier standard) {
        return new WhiteLabelled(names, own, standard);
    }

    /** The hexadecimal HMAC-SHA256 of a text, as UTF-8, under the first of the secrets. */
    public static String hexHmac(String text, Secrets secrets) {
        byte[] key = secrets.get().get(0).getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(HmacKey.hmac("HmacSHA256", key, text.getBytes(StandardCharsets.UTF_8)));
    }

    private static HeaderSignature.Scheme scheme(String header, String prefix, String idHeader, SigningTime time) {
        return new HeaderSignature.Scheme(
                new SignatureHeader(
                        List.of(header),
                        false,
                        Optional.of(SignatureHeader.Separator.BLANK),
                        prefix,
                        SignatureEncoding.BASE64),
                SignedContent.parse("{id}.{timestamp}.{body}"),
                Optional.of(time),
                Optional.of(idHeader),
                Optional.empty());
    }
}
