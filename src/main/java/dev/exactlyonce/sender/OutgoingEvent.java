package dev.exactlyonce.sender;

import java.util.Map;

/** An event as it goes into the outbox and comes out of it, with the very bytes that are sent. Nobody changes them. */
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
