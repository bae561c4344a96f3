package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;
import dev.exactlyonce.common.Digests;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The signature in a message of AWS SNS, over named fields of it, with a key that a certificate of SNS certifies. What ties it
 * to this receiver is the topic: SNS signs the messages of all topics with the same key. Thread-safe.
 *
 * <p>While the certificate cannot be fetched, deliveries are refused, and SNS repeats them.
 */
final class SnsSignature implements DeliveryVerifier {
    private static final List<String> NOTIFICATION =
            List.of("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type");
    private static final List<String> CONFIRMATION =
            List.of("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type");
    private static final Map<String, List<String>> FIELDS = Map.of(
            "Notification",
            NOTIFICATION,
            "SubscriptionConfirmation",
            CONFIRMATION,
            "UnsubscribeConfirmation",
            CONFIRMATION);

    private static final Verification INCOMPLETE =
            Verification.refused("a field of the message is missing or malformed");
    private static final Verification FOREIGN_TOPIC = Verification.refused("the message is of another topic");
    private static final Verification FOREIGN_ADDRESS =
            Verification.refused("the certificate's address is not one of AWS SNS");
    private static final Verification NO_CERTIFICATE =
            Verification.refused("the certificate of AWS SNS cannot be fetched, or is not trusted");

    private final JsonFields.Reader json;
    private final Supplier<List<String>> topics;
    private final Map<String, CertifiedKeys> keysByVersion;
    private final Freshness freshness;
    private final InstantSource clock;

    /**
     * @param topics the ARNs of the topics, any of which may send
     * @param keysByVersion by {@code SignatureVersion}
     */
    SnsSignature(
            JsonFields.Reader json,
            Supplier<List<String>> topics,
            Map<String, CertifiedKeys> keysByVersion,
            Freshness freshness,
            InstantSource clock) {
        this.json = json;
        this.topics = topics;
        this.keysByVersion = Map.copyOf(keysByVersion);
        this.freshness = freshness;
        this.clock = clock;
        topics.get().forEach(SnsSignature::requireArn);
    }

    private static void requireArn(String topic) {
        if (!topic.matches("arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_.-]{1,256}")) {
            throw new IllegalArgumentException("this is not the ARN of a topic: arn:aws:sns:region:account:name");
        }
    }

    /** What costs nothing comes first: only a message that could be of the topic makes the server call AWS. */
    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        Optional<JsonFields> message = json.read(request, body);
        Optional<List<String>> fields = text(message, "Type").map(FIELDS::get);
        Optional<byte[]> signature = text(message, "Signature").flatMap(SignatureEncoding.BASE64::decode);
        Optional<CertifiedKeys> keys = text(message, "SignatureVersion").map(keysByVersion::get);
        if (message.isEmpty() || fields.isEmpty() || signature.isEmpty() || keys.isEmpty()) {
            return INCOMPLETE;
        }
        if (text(message, "TopicArn").filter(topics.get()::contains).isEmpty()) {
            return FOREIGN_TOPIC;
        }
        if (text(message, "Timestamp")
                .filter(it -> freshness.isRecent(it, clock.instant()))
                .isEmpty()) {
            return Freshness.STALE;
        }
        Optional<byte[]> content = content(message.get(), fields.get());
        if (content.isEmpty()) {
            return INCOMPLETE;
        }
        Optional<URI> address = text(message, "SigningCertURL").flatMap(CertificateAddress::sns);
        if (address.isEmpty()) {
            return FOREIGN_ADDRESS;
        }
        Optional<VerifyingKey> key = keys.get().find(address.get());
        if (key.isEmpty()) {
            return NO_CERTIFICATE;
        }
        return key.get()
                .match(List.of(content.get()), List.of(signature.get()))
                .map(it -> Verification.signed(HexFormat.of().formatHex(it), Digests.sha256Hex(content.get())))
                .orElse(HeaderSignature.WRONG);
    }

    private static Optional<String> text(Optional<JsonFields> message, String field) {
        return message.flatMap(it -> it.text("/" + field));
    }

    /**
     * Each field's name and value, a line each. Nothing where a field is missing that must be there, or where a name could be
     * taken for a part of the value before it.
     */
    private static Optional<byte[]> content(JsonFields message, List<String> fields) {
        StringBuilder content = new StringBuilder();
        for (String field : fields) {
            Optional<String> value = message.text("/" + field);
            if (value.isPresent()) {
                content.append(field).append('\n').append(value.get()).append('\n');
            } else if (!field.equals("Subject")) {
                return Optional.empty();
            }
            boolean isFree = field.equals("Message");
            if (!isFree && value.filter(it -> it.contains("\n")).isPresent()) {
                return Optional.empty();
            }
        }
        return Optional.of(content.toString().getBytes(StandardCharsets.UTF_8));
    }
}
