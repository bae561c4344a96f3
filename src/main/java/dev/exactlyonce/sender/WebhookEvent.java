package dev.exactlyonce.sender;

import dev.exactlyonce.sender.wire.JsonText;
import dev.exactlyonce.sender.wire.RequestHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event to send: its key, and a body that is JSON or bytes as they are. Immutable.
 *
 * <pre>{@code
 * EventKey key = new EventKey("order-17");
 * WebhookEvent.json(key, Map.of("order", 17));                  // {"order":17}
 * WebhookEvent.jsonText(key, "{\"order\": 17}");                // {"order": 17}, byte for byte
 * WebhookEvent.json(key, "{\"order\": 17}");                    // a JSON string: "{\"order\": 17}" in quotes
 * WebhookEvent.bytes(key, xml, "application/xml").withHeader("X-Tenant", "acme");
 * }</pre>
 *
 * @since 0.1.0
 */
public final class WebhookEvent {
    private final EventKey key;
    private final @Nullable Object json;
    private final byte @Nullable [] bytes;
    private final Map<String, String> headers;

    private WebhookEvent(EventKey key, @Nullable Object json, byte @Nullable [] bytes, Map<String, String> headers) {
        this.key = key;
        this.json = json;
        this.bytes = bytes;
        this.headers = Map.copyOf(headers);
    }

    /**
     * An event whose body is this value, written as JSON by the endpoint's codec. A text becomes a JSON string: for a text
     * that is JSON already, use {@link #jsonText}.
     *
     * @param json a {@code Map} with text keys, {@code Iterable}, {@code CharSequence}, {@code Number}, {@code Boolean},
     *     null, or these nested; read when the event is sent
     */
    public static WebhookEvent json(EventKey key, @Nullable Object json) {
        return new WebhookEvent(key, json, null, Map.of("content-type", "application/json"));
    }

    /**
     * An event whose body is this JSON text, sent in UTF-8 exactly as it is: blanks, the order of members and the spelling
     * of numbers stay, also for an endpoint with {@link BodyCodec#PYTHON_SORTED}. Names that occur twice are not noticed.
     *
     * @param json one JSON value of RFC 8259, nested at most 500 deep
     * @throws IllegalArgumentException when it is anything else; shows where, and nothing of the text
     */
    public static WebhookEvent jsonText(EventKey key, String json) {
        byte[] body = JsonText.checked(json).getBytes(StandardCharsets.UTF_8);
        return new WebhookEvent(key, null, body, Map.of("content-type", "application/json"));
    }

    /**
     * An event whose body is these bytes; they are copied.
     *
     * @param contentType such as {@code application/xml}
     */
    public static WebhookEvent bytes(EventKey key, byte[] body, String contentType) {
        return new WebhookEvent(
                key,
                null,
                Arrays.copyOf(body, body.length),
                Map.of("content-type", RequestHeaders.checkedValue("Content-Type", contentType)));
    }

    /**
     * The same event with one more header.
     *
     * @throws IllegalArgumentException for a name that is not a token of RFC 9110, is set by the sender or belongs to the connection,
     *     and for a value that is not printable ASCII
     */
    public WebhookEvent withHeader(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(RequestHeaders.checkedName(name), RequestHeaders.checkedValue(name, value));
        return new WebhookEvent(key, json, bytes, more);
    }

    public EventKey key() {
        return key;
    }

    /** In lower case, {@code content-type} among them. */
    public Map<String, String> headers() {
        return headers;
    }

    /** The bytes that are sent and signed, written by this codec unless the event has bytes of its own. */
    public byte[] body(BodyCodec codec) {
        return bytes == null ? codec.encode(json) : Objects.requireNonNull(bytes);
    }

    /** The key alone: a body may hold what no log should. */
    @Override
    public String toString() {
        return "event " + key;
    }
}
