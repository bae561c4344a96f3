package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;
import dev.exactlyonce.common.Digests;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A signature over the called address and the fields of a form after it, sorted, with nothing between names and values. Any
 * other body is signed by its digest in the address's query, and refused without. Thread-safe.
 */
final class TwilioSignature implements DeliveryVerifier {
    private static final String DIGEST = "bodySHA256=";
    private static final Verification NOT_COVERED =
            Verification.refused("the body is malformed, or neither a form nor signed by its digest");

    private final SignatureHeader header;
    private final KeyRing keys;
    private final List<PublicUrl> urls;

    TwilioSignature(SignatureHeader header, KeyRing keys, PublicUrl url) {
        this.header = header;
        this.keys = keys;
        this.urls = Ports.withAndWithout(url.base()).stream()
                .map(it -> new PublicUrl(it, url.form()))
                .toList();
    }

    @Override
    public Verification verifyHeaders(DeliveryRequest request) {
        return header.signatures(header.entries(request)).isEmpty() ? HeaderSignature.NOT_SIGNED : Verification.VALID;
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        List<byte[]> signatures = header.signatures(header.entries(request));
        if (signatures.isEmpty()) {
            return HeaderSignature.NOT_SIGNED;
        }
        Optional<byte[]> fields = fields(request, body);
        if (fields.isEmpty()) {
            return NOT_COVERED;
        }
        Stream<byte[]> called = urls.stream().map(it -> it.of(request).getBytes(StandardCharsets.UTF_8));
        return called.map(url -> keys.verify(List.of(url, fields.get()), signatures))
                .filter(Verification::isValid)
                .findFirst()
                .map(it -> byFields(it, fields.get()))
                .orElse(HeaderSignature.WRONG);
    }

    /** The same fields are the same body, however they are encoded and in whatever order; without any, its bytes count. */
    private static Verification byFields(Verification valid, byte[] fields) {
        return fields.length == 0
                ? valid
                : valid.signed()
                        .map(it -> Verification.signed(it.signature(), Digests.sha256Hex(fields)))
                        .orElse(valid);
    }

    /** What follows the address in the signed content. */
    private static Optional<byte[]> fields(DeliveryRequest request, byte[] body) {
        List<String> digests = Stream.of(request.rawQuery().split("&", -1))
                .filter(it -> it.startsWith(DIGEST))
                .map(it -> it.substring(DIGEST.length()))
                .toList();
        if (!digests.isEmpty()) {
            byte[] own = Digests.sha256Hex(body).getBytes(StandardCharsets.UTF_8);
            byte[] sent = digests.get(0).toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
            return digests.size() == 1 && MessageDigest.isEqual(own, sent)
                    ? Optional.of(new byte[0])
                    : Optional.empty();
        }
        if (body.length == 0) {
            return Optional.of(new byte[0]);
        }
        return isForm(request) ? form(body) : Optional.empty();
    }

    private static boolean isForm(DeliveryRequest request) {
        List<String> types = request.header("Content-Type");
        return types.size() == 1
                && types.get(0).split(";", 2)[0].strip().equalsIgnoreCase("application/x-www-form-urlencoded");
    }

    /** One character a byte throughout, so that no byte of a field is lost or replaced. */
    private static Optional<byte[]> form(byte[] body) {
        Map<String, Set<String>> fields = new TreeMap<>();
        try {
            for (String pair : new String(body, StandardCharsets.ISO_8859_1).split("&", -1)) {
                String[] field = pair.split("=", 2);
                if (!pair.isEmpty()) {
                    fields.computeIfAbsent(decoded(field[0]), it -> new TreeSet<>())
                            .add(field.length == 2 ? decoded(field[1]) : "");
                }
            }
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
        StringBuilder joined = new StringBuilder();
        fields.forEach(
                (name, values) -> values.forEach(it -> joined.append(name).append(it)));
        return Optional.of(joined.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.ISO_8859_1);
    }
}
