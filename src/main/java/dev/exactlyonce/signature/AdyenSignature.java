package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;
import dev.exactlyonce.common.Digests;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A signature in each item of a payment notification, over eight of its fields with colons between them. Colons within a
 * field are not escaped, as Adyen's own libraries do not. Thread-safe.
 */
final class AdyenSignature implements DeliveryVerifier {
    private static final String ITEM = "/NotificationRequestItem/";
    private static final List<String> FIELDS = List.of(
            "pspReference",
            "originalReference",
            "merchantAccountCode",
            "merchantReference",
            "amount/value",
            "amount/currency",
            "eventCode",
            "success");

    private static final Verification NO_ITEMS = Verification.refused("the body has no notification items");

    private final KeyRing keys;
    private final JsonFields.Reader json;

    AdyenSignature(KeyRing keys, JsonFields.Reader json) {
        this.keys = keys;
        this.json = json;
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        List<JsonFields> items = json.read(request, body)
                .map(it -> it.items("/notificationItems"))
                .orElse(List.of());
        if (items.isEmpty()) {
            return NO_ITEMS;
        }
        SortedSet<String> macs = new TreeSet<>();
        SortedSet<String> contents = new TreeSet<>();
        for (JsonFields item : items) {
            Optional<byte[]> signature =
                    item.text(ITEM + "additionalData/hmacSignature").flatMap(SignatureEncoding.BASE64::decode);
            if (signature.isEmpty()) {
                return HeaderSignature.NOT_SIGNED;
            }
            byte[] content = content(item);
            Optional<byte[]> mac = keys.match(List.of(content), List.of(signature.get()));
            if (mac.isEmpty()) {
                return HeaderSignature.WRONG;
            }
            macs.add(HexFormat.of().formatHex(mac.get()));
            contents.add(Digests.sha256Hex(content));
        }
        // Of the body, the items' fields are signed and nothing else: neither their order nor how often they stand
        // there.
        return Verification.signed(oneOf(macs), oneOf(contents));
    }

    private static String oneOf(SortedSet<String> digests) {
        return digests.size() == 1 ? digests.first() : Digests.sha256Hex(String.join(":", digests));
    }

    private static byte[] content(JsonFields item) {
        Stream<String> values =
                FIELDS.stream().map(field -> item.text(ITEM + field).orElse(""));
        return values.collect(Collectors.joining(":")).getBytes(StandardCharsets.UTF_8);
    }
}
