package dev.exactlyonce.gateway;

import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.Forwarding;
import dev.exactlyonce.sender.WebhookEvent;
import dev.exactlyonce.sender.WebhookSender;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Hands a source's deliveries on to an endpoint. The outgoing key is made of the delivery's alone: a delivery that is run
 * again after a crash finds its event in the outbox already.
 */
@ApplicationScoped
public class Relay {
    private static final System.Logger LOG = System.getLogger(Relay.class.getName());

    private final Forwarding forwarding;
    private final WebhookSender sender;

    @Inject
    Relay(Forwarding forwarding, WebhookSender sender) {
        this.forwarding = forwarding;
        this.sender = sender;
    }

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected Relay() {
        this(null, null);
    }

    /** Whether the source is relayed; then the delivery is in the outbox when this returns. */
    boolean takes(WebhookReceived delivery) {
        return forwarding
                .of(delivery.source())
                .map(it -> sender.send(it.endpoint(), event(it, delivery)) != null)
                .orElse(false);
    }

    private static WebhookEvent event(Forwarding.Target target, WebhookReceived delivery) {
        WebhookEvent event = body(key(delivery), delivery);
        for (String name : target.headers()) {
            if (delivery.headers().containsKey(name)) {
                event = with(event, name, delivery.headers().get(name).get(0), delivery.source());
            }
        }
        return event;
    }

    /** A header that cannot be sent must not keep the delivery itself out of the outbox, each time that it comes. */
    private static WebhookEvent with(WebhookEvent event, String name, String value, String source) {
        try {
            return event.withHeader(name, value);
        } catch (IllegalArgumentException unfit) {
            LOG.log(
                    Level.WARNING,
                    "EXON0732 {0}: a delivery is forwarded without its header {1}, which cannot be sent",
                    source,
                    name);
            return event;
        }
    }

    private static WebhookEvent body(EventKey key, WebhookReceived delivery) {
        String type = delivery.contentType() == null ? "" : delivery.contentType();
        try {
            return WebhookEvent.bytes(key, delivery.body(), type);
        } catch (IllegalArgumentException noMediaType) {
            return WebhookEvent.bytes(key, delivery.body(), "application/octet-stream");
        }
    }

    private static EventKey key(WebhookReceived delivery) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(delivery.key().getBytes(StandardCharsets.UTF_8));
            return new EventKey(delivery.source() + ":" + HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
