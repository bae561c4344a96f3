package dev.exactlyonce.sender;

import java.util.Map;

/**
 * An event in the outbox, with the very bytes that are sent. No one may change them.
 *
 * <pre>{@code
 * OutgoingEvent event = letter.event();
 * event.headers().get("content-type");
 * }</pre>
 *
 * @since 0.1.0
 */
public final class OutgoingEvent {
    private final String endpoint;
    private final EventKey key;
    private final Map<String, String> headers;
    private final byte[] body;

    /** @param headers in lower case; the application's, and {@code content-type} */
    public OutgoingEvent(String endpoint, EventKey key, Map<String, String> headers, byte[] body) {
        this.endpoint = endpoint;
        this.key = key;
        this.headers = Map.copyOf(headers);
        this.body = body;
    }

    public String endpoint() {
        return endpoint;
    }

    public EventKey key() {
        return key;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** The bytes themselves, no copy. */
    public byte[] body() {
        return body;
    }

    /** Without headers and body. */
    @Override
    public String toString() {
        return "event " + key + " for " + endpoint;
    }
}
