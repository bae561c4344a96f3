package dev.exactlyonce.spi;

import java.util.Arrays;

/**
 * A delivery as the inbox keeps it. Equal to none but itself.
 *
 * <pre>{@code
 * new StoredDelivery("billing", "invoice.paid", "application/json", "X-Event: invoice.paid", body);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class StoredDelivery {
    private final String source;
    private final String event;
    private final String contentType;
    private final String headers;
    private final byte[] body;

    /**
     * @param event the event's name; empty where it has none
     * @param contentType empty where the sender named none
     * @param headers one {@code Name: value} a line
     * @param body copied
     */
    public StoredDelivery(String source, String event, String contentType, String headers, byte[] body) {
        this.source = source;
        this.event = event;
        this.contentType = contentType;
        this.headers = headers;
        this.body = Arrays.copyOf(body, body.length);
    }

    /** The name of the source that sent it. */
    public String source() {
        return source;
    }

    /** The event's name; empty where it has none. */
    public String event() {
        return event;
    }

    /** The body's media type as it was sent; empty where there was none. */
    public String contentType() {
        return contentType;
    }

    /** One {@code Name: value} a line. */
    public String headers() {
        return headers;
    }

    /** A copy of the body's bytes as they were received. */
    public byte[] body() {
        return Arrays.copyOf(body, body.length);
    }
}
