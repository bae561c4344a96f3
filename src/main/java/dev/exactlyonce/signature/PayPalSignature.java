package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32;

/**
 * A signature in a header, with a key that a certificate of PayPal's certifies. What ties it to this receiver is the
 * webhook's id: PayPal signs the deliveries to everybody with the same key. Thread-safe.
 *
 * <p>A certificate that cannot be fetched is not the sender's fault, and yet the delivery is refused: nothing is known of who
 * sent it. PayPal repeats what is refused for three days, so the event is not lost.
 */
final class PayPalSignature implements DeliveryVerifier {
    private static final String ALGORITHM = "SHA256withRSA";

    private static final Verification INCOMPLETE =
            Verification.refused("a header of PayPal's signature is missing, malformed or repeated");
    private static final Verification FOREIGN_ADDRESS =
            Verification.refused("the certificate's address is not one of PayPal's");
    private static final Verification NO_CERTIFICATE =
            Verification.refused("PayPal's certificate cannot be fetched, or is not trusted");

    private final Supplier<List<String>> webhookIds;
    private final CertifiedKeys keys;
    private final Freshness freshness;
    private final InstantSource clock;

    /** @param webhookIds any of which may be signed */
    PayPalSignature(Supplier<List<String>> webhookIds, CertifiedKeys keys, Freshness freshness, InstantSource clock) {
        this.webhookIds = webhookIds;
        this.keys = keys;
        this.freshness = freshness;
        this.clock = clock;
        webhookIds.get().forEach(SecretRules::refuseSlips);
    }

    @Override
    public Verification verifyHeaders(DeliveryRequest request) {
        return read(request).fault();
    }

    /** What costs nothing comes first: only a delivery that could be PayPal's makes the server call PayPal. */
    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        PayPalHeaders headers = read(request);
        if (!headers.fault().isValid()) {
            return headers.fault();
        }
        Optional<VerifyingKey> key = headers.certificate().flatMap(keys::find);
        if (key.isEmpty()) {
            return NO_CERTIFICATE;
        }
        return webhookIds.get().stream()
                .flatMap(it -> key.get().match(headers.content(it, body), List.of(headers.signature())).stream())
                .findFirst()
                .map(it -> HexFormat.of().formatHex(it))
                .map(it -> Verification.signed(it, it)) // the checksum is signed in the body's place
                .orElse(HeaderSignature.WRONG);
    }

    /**
     * What the headers hold, or what is wrong with them.
     *
     * @param before what is signed before the webhook's id
     */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    private record PayPalHeaders(Verification fault, Optional<URI> certificate, String before, byte[] signature) {
        List<byte[]> content(String webhookId, byte[] body) {
            return List.of(
                    headerBytes(before), webhookId.getBytes(StandardCharsets.UTF_8), headerBytes("|" + crc32(body)));
        }

        static PayPalHeaders refused(Verification fault) {
            return new PayPalHeaders(fault, Optional.empty(), "", new byte[0]);
        }
    }

    private PayPalHeaders read(DeliveryRequest request) {
        Optional<String> id = SignedHeader.find(request, "PAYPAL-TRANSMISSION-ID")
                .filter(it -> !it.contains("|")); // the signed content could be cut elsewhere
        Optional<String> time = SignedHeader.find(request, "PAYPAL-TRANSMISSION-TIME");
        Optional<String> address = SignedHeader.find(request, "PAYPAL-CERT-URL");
        Optional<byte[]> signature =
                SignedHeader.find(request, "PAYPAL-TRANSMISSION-SIG").flatMap(SignatureEncoding.BASE64::decode);
        boolean isKnown = SignedHeader.find(request, "PAYPAL-AUTH-ALGO")
                .filter(ALGORITHM::equals)
                .isPresent();
        if (id.isEmpty() || time.isEmpty() || address.isEmpty() || signature.isEmpty() || !isKnown) {
            return PayPalHeaders.refused(INCOMPLETE);
        }
        if (!freshness.isRecent(time.get(), clock.instant())) {
            return PayPalHeaders.refused(Freshness.STALE);
        }
        Optional<URI> url = CertificateAddress.parse(address.get());
        return url.isEmpty()
                ? PayPalHeaders.refused(FOREIGN_ADDRESS)
                : new PayPalHeaders(Verification.VALID, url, id.get() + "|" + time.get() + "|", signature.get());
    }

    private static long crc32(byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(body);
        return crc.getValue();
    }

    private static byte[] headerBytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1); // one character a byte, as headers arrive
    }
}
