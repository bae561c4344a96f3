package dev.exactlyonce.sender;

import dev.exactlyonce.sender.wire.RequestHeaders;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An event to send: its key, and a body that is JSON in the endpoint's codec, or bytes as they are. Immutable. */
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
     * @param json a {@code Map} with text keys, {@code Iterable}, {@code CharSequence}, {@code Number}, {@code Boolean},
     *     null, or these nested; read when the event is sent
     */
    public static WebhookEvent json(EventKey key, @Nullable Object json) {
        return new WebhookEvent(key, json, null, Map.of("content-type", "application/json"));
    }

    /** @param contentType such as {@code application/xml} */
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
     * @throws IllegalArgumentException for a name that is no token, is set by the sender or belongs to the connection,
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

    /** What is sent and signed. */
    public byte[] body(BodyCodec codec) {
        return bytes == null ? codec.encode(json) : Objects.requireNonNull(bytes);
    }

    /** The key alone: a body may hold what no log should. */
    @Override
    public String toString() {
        return "event " + key;
    }
}
