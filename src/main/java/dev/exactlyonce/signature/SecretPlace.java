package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Where a sender puts a secret that both sides share: {@code header:Name}, {@code query:name}, {@code json:/pointer}, or
 * {@code json:/list/*}{@code /field} for a field of each item of a list. Immutable.
 */
public record SecretPlace(Kind kind, String name) {
    private static final String EACH = "/*/";
    private static final String BEARER = "bearer ";
    private static final String BASIC = "basic ";

    /** Which part of the request it is in. */
    public enum Kind {
        HEADER,
        BASIC,
        QUERY,
        JSON
    }

    /** The credentials of basic authentication, as {@code user:password}. */
    public static final SecretPlace CREDENTIALS = new SecretPlace(Kind.BASIC, "Authorization");

    /** @throws IllegalArgumentException when the text is not a place */
    public static SecretPlace parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String name = text.substring(colon + 1);
        return switch (kind) {
            case "header" -> new SecretPlace(Kind.HEADER, name);
            case "query" -> new SecretPlace(Kind.QUERY, name);
            case "json" -> new SecretPlace(Kind.JSON, name);
            default -> throw new IllegalArgumentException("'" + text + "' is not a place of a secret");
        };
    }

    /** Whether the secret is outside the body. */
    boolean isBeforeTheBody() {
        return kind != Kind.JSON;
    }

    /** What was sent there: each must be a secret, in one of its readings. Empty where there is none, or too many. */
    List<List<byte[]>> sent(DeliveryRequest request, byte[] body, JsonFields.Reader json) {
        return switch (kind) {
            case HEADER -> one(request.header(name), SecretPlace::afterBearer);
            case BASIC -> basic(request.header(name));
            case QUERY -> one(request.query(name), it -> it);
            case JSON -> json.read(request, body).map(this::fields).orElse(List.of());
        };
    }

    private static List<List<byte[]>> one(List<String> values, UnaryOperator<String> other) {
        if (values.size() != 1) {
            return List.of();
        }
        String value = values.get(0);
        return List.of(List.of(bytes(value), bytes(other.apply(value))));
    }

    private static String afterBearer(String value) {
        return startsWith(value, BEARER) ? value.substring(BEARER.length()).strip() : value;
    }

    private static List<List<byte[]>> basic(List<String> values) {
        return values.size() == 1 && startsWith(values.get(0), BASIC)
                ? SignatureEncoding.BASE64
                        .decode(values.get(0).substring(BASIC.length()).strip())
                        .map(it -> List.of(List.of(it)))
                        .orElse(List.of())
                : List.of();
    }

    private List<List<byte[]>> fields(JsonFields body) {
        int each = name.indexOf(EACH);
        List<Optional<String>> values = each < 0
                ? List.of(body.text(name))
                : body.items(name.substring(0, each)).stream()
                        .map(it -> it.text(name.substring(each + EACH.length() - 1)))
                        .toList();
        return values.stream().allMatch(Optional::isPresent)
                ? values.stream().map(it -> List.of(bytes(it.orElseThrow()))).toList()
                : List.of();
    }

    private static boolean startsWith(String value, String scheme) {
        return value.toLowerCase(Locale.ROOT).startsWith(scheme);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
