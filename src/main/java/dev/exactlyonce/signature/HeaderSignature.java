package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A signature in a header, over a content that a template describes: what most senders do. Any of the keys may have made
 * any of the signatures. Thread-safe.
 */
public final class HeaderSignature implements DeliveryVerifier {
    /**
     * What is signed, and where the signature is.
     *
     * @param idHeader the header whose value {@code {id}} stands for
     * @param url what {@code {url}} stands for
     */
    public record Scheme(
            SignatureHeader header,
            SignedContent content,
            Optional<SigningTime> time,
            Optional<String> idHeader,
            Optional<PublicUrl> url) {
        public Scheme {
            if (time.isPresent() != content.holds("timestamp")) {
                throw new IllegalArgumentException(
                        time.isPresent()
                                ? "a timestamp that is not signed proves nothing; {timestamp} must be in the signed content"
                                : "{timestamp} is in the signed content, and no setting says where it is sent");
            }
            if (content.holds("id") && idHeader.isEmpty()) {
                throw new IllegalArgumentException("{id} is in the signed content, and no header is named for it");
            }
            if (content.holds("url") && url.isEmpty()) {
                throw new IllegalArgumentException("{url} is in the signed content, and no public URL is known");
            }
        }
    }

    static final Verification NOT_SIGNED = Verification.refused("the signature is missing or malformed");
    private static final Verification REPEATED =
            Verification.refused("a header or query parameter that is signed is missing, empty or repeated");
    private static final Verification NO_TIME = Verification.refused("the timestamp is missing or repeated");
    private static final Verification AMBIGUOUS = Verification.refused(
            "a header that is signed holds what separates it from the rest: the signed content could be cut elsewhere");
    static final Verification WRONG = Verification.refused("no signature matches");

    private final Scheme scheme;
    private final KeyRing keys;
    private final InstantSource clock;

    HeaderSignature(Scheme scheme, KeyRing keys, InstantSource clock) {
        this.scheme = scheme;
        this.keys = keys;
        this.clock = clock;
    }

    /** Whether it could find any signature to be right. */
    boolean hasKeys() {
        return keys.keys().stream().anyMatch(it -> it != VerifyingKey.NONE);
    }

    /** Whether there is a signature of its kind at all. */
    boolean isSigned(DeliveryRequest request) {
        return scheme.header().hasSignature(request);
    }

    @Override
    public Verification verifyHeaders(DeliveryRequest request) {
        return read(request).fault();
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        SignatureFields headers = read(request);
        if (!headers.fault().isValid()) {
            return headers.fault();
        }
        List<byte[]> content = scheme.content().of(body, headers.values());
        return keys.verify(content, headers.signatures());
    }

    /** What the headers hold, or what is wrong with them. */
    private record SignatureFields(Verification fault, List<byte[]> signatures, Map<String, String> values) {
        static SignatureFields refused(Verification fault) {
            return new SignatureFields(fault, List.of(), Map.of());
        }
    }

    private SignatureFields read(DeliveryRequest request) {
        List<String> entries = scheme.header().entries(request);
        List<byte[]> signatures = scheme.header().signatures(entries);
        if (signatures.isEmpty()) {
            return SignatureFields.refused(NOT_SIGNED);
        }
        Map<String, String> values = new HashMap<>();
        for (String name : scheme.content().names()) {
            Optional<String> value = value(name, request, entries);
            if (value.isEmpty()) {
                return SignatureFields.refused(name.equals("timestamp") ? NO_TIME : REPEATED);
            }
            if (name.equals("timestamp") && !isRecent(value.get())) {
                return SignatureFields.refused(Freshness.STALE);
            }
            Optional<String> separator = scheme.content().separatorAfter(name);
            if (isSent(name) && separator.filter(value.get()::contains).isPresent()) {
                return SignatureFields.refused(AMBIGUOUS);
            }
            values.put(name, value.get());
        }
        return new SignatureFields(Verification.VALID, signatures, values);
    }

    /** Whether the value is a header's or a query parameter's as it was sent, which may hold anything. */
    private static boolean isSent(String name) {
        return name.equals("id") || name.startsWith(SignedContent.HEADER) || name.startsWith(SignedContent.QUERY);
    }

    private boolean isRecent(String timestamp) {
        return scheme.time()
                .map(it -> it.freshness().isRecent(timestamp, clock.instant()))
                .orElse(false);
    }

    private Optional<String> value(String name, DeliveryRequest request, List<String> entries) {
        return switch (name) {
            case "body" -> Optional.of("");
            case "method" -> Optional.of(request.method());
            case "url" -> scheme.url().map(it -> it.of(request));
            case "id" -> scheme.idHeader().flatMap(it -> SignedHeader.find(request, it));
            case "timestamp" ->
                scheme.time()
                        .flatMap(it -> it.find(it.header().map(request::header).orElse(List.of()), entries));
            default ->
                name.startsWith(SignedContent.QUERY)
                        ? parameter(request, name.substring(SignedContent.QUERY.length()))
                        : SignedHeader.find(request, name.substring(SignedContent.HEADER.length()));
        };
    }

    /** The decoded parameter; nothing when it is missing, empty or repeated. */
    private static Optional<String> parameter(DeliveryRequest request, String name) {
        return Optional.of(request.query(name))
                .filter(it -> it.size() == 1)
                .map(it -> it.get(0))
                .filter(it -> !it.isEmpty());
    }
}
