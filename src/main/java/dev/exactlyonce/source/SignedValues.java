package dev.exactlyonce.source;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The places of a request that its source's signature covers. An id from any other place may be changed by anyone who has seen
 * a delivery. Immutable.
 *
 * @param body whether its fields and bytes are signed
 * @param headers the names of signed headers, in lower case
 * @param query whether the whole query is signed
 * @param parameters the names of query parameters that are signed by themselves
 */
public record SignedValues(boolean body, Set<String> headers, boolean query, Set<String> parameters) {
    /** Without a signature, or with a token in its place. */
    public static final SignedValues NONE = new SignedValues(false, Set.of(), false, Set.of());

    /** Of a signature over the body alone. */
    public static final SignedValues BODY = new SignedValues(true, Set.of(), false, Set.of());

    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");

    public SignedValues {
        headers = Set.copyOf(headers);
        parameters = Set.copyOf(parameters);
    }

    /**
     * Of a signature over a content with {@code {body}} in it.
     *
     * @param template the content, as {@code signed-content} has it
     * @param idHeader what {@code {id}} stands for
     * @param timestampHeader what {@code {timestamp}} stands for
     */
    public static SignedValues of(String template, String idHeader, String timestampHeader) {
        Set<String> headers = new HashSet<>();
        Set<String> parameters = new HashSet<>();
        boolean query = false;
        for (Matcher places = PLACE.matcher(template); places.find(); ) {
            String place = places.group(1);
            int colon = place.indexOf(':');
            String name = place.substring(colon + 1);
            switch (colon < 0 ? place : place.substring(0, colon)) {
                case "id" -> headers.add(idHeader.toLowerCase(Locale.ROOT));
                case "timestamp" -> headers.add(timestampHeader.toLowerCase(Locale.ROOT));
                case "header" -> headers.add(name.toLowerCase(Locale.ROOT));
                case "query" -> parameters.add(name);
                case "url" -> query = true;
                default -> {
                    // the body, and what is no place of a key
                }
            }
        }
        return new SignedValues(template.contains("{body}"), headers, query, parameters);
    }

    /** Of the preset's signature. */
    public static SignedValues of(Preset preset) {
        return switch (preset.line(Preset.SCHEME).orElse("header")) {
            case "token", "basic", "oidc", "unsigned" -> NONE;
            case "header", "numbered-header", "hubspot" ->
                of(preset, preset.lines().getOrDefault("signed-content", "{body}"));
            case "standard-webhooks" ->
                of(
                        preset,
                        "{id}.{timestamp}.{body}"
                                + (preset.isSet(Preset.WHITE_LABEL)
                                        ? "{header:webhook-id}{header:webhook-timestamp}"
                                        : ""));
            case "twilio" -> of(preset, "{url}{body}");
            default -> BODY;
        };
    }

    private static SignedValues of(Preset preset, String template) {
        return of(
                template,
                preset.lines().getOrDefault("id-header", ""),
                preset.lines().getOrDefault("timestamp-header", ""));
    }

    /** Whether there is a signature over what is sent at all. */
    public boolean isAny() {
        return body || query || !headers.isEmpty() || !parameters.isEmpty();
    }

    /** A path says where a delivery arrives and not which one it is: it needs no signature. */
    boolean cover(ValueSelector lookup) {
        if (lookup instanceof ValueSelector.HeaderSelector header) {
            return headers.contains(header.name().toLowerCase(Locale.ROOT));
        }
        if (lookup instanceof ValueSelector.QuerySelector it) {
            return query || parameters.contains(it.name());
        }
        return lookup instanceof ValueSelector.PathSelector || body;
    }
}
