package dev.exactlyonce.gateway;

import dev.exactlyonce.rest.FieldValues;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An admitted webhook, fired as a CDI event. An observer that returns has processed it; one that throws makes the sender
 * try again. Observe it synchronously: an {@code @ObservesAsync} method would be too late to fail. Of a source with {@code
 * duplicate=forward} copies are fired, too; {@code Delivery.isDuplicate()} identifies them.
 */
public final class WebhookReceived {
    private final String source;
    private final String key;
    private final Map<String, List<String>> headers;
    private final byte[] body;
    private final @Nullable String contentType;

    WebhookReceived(
            String source, String key, Map<String, List<String>> headers, byte[] body, @Nullable String contentType) {
        this.source = source;
        this.key = key;
        Map<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> copy.put(name, FieldValues.trimmed(values)));
        this.headers = Collections.unmodifiableMap(copy);
        this.body = body;
        this.contentType = contentType == null ? null : FieldValues.trimmed(contentType);
    }

    /** The source's name. */
    public String source() {
        return source;
    }

    /** The idempotency key, as the store holds it. */
    public String key() {
        return key;
    }

    /** Every header as received, without the blanks around its values; names in any case find it. */
    public Map<String, List<String>> headers() {
        return headers;
    }

    /** A copy of the body's bytes exactly as received; empty without one. */
    public byte[] body() {
        return Arrays.copyOf(body, body.length);
    }

    /** The body's media type; null when the sender named none. */
    public @Nullable String contentType() {
        return contentType;
    }
}
