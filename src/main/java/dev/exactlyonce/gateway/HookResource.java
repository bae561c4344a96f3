package dev.exactlyonce.gateway;

import dev.exactlyonce.Delivery;
import dev.exactlyonce.ExactlyOnce;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/**
 * Receives every declared source's webhooks and hands each admitted one on: to an endpoint where {@code forward-to} names
 * one, else as a CDI event.
 */
@Path("/hooks/{source}")
@RequestScoped
@ExactlyOnce("{source}")
public class HookResource {
    private final Event<WebhookReceived> received;
    private final Delivery delivery;
    private final Relay relay;

    @Inject
    public HookResource(Event<WebhookReceived> received, Delivery delivery, Relay relay) {
        this.received = received;
        this.delivery = delivery;
        this.relay = relay;
    }

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected HookResource() {
        this(null, null, null);
    }

    @POST
    @Produces(MediaType.WILDCARD)
    public Response receive(byte[] body, @Context HttpHeaders headers) {
        WebhookReceived webhook = new WebhookReceived(
                delivery.source(),
                delivery.key(),
                headers.getRequestHeaders(),
                body == null ? new byte[0] : body,
                headers.getHeaderString(HttpHeaders.CONTENT_TYPE));
        if (relay.takes(webhook)) {
            return Response.accepted("{\"status\":\"queued\"}")
                    .type(MediaType.APPLICATION_JSON_TYPE)
                    .build();
        }
        received.fire(webhook);
        return Response.ok("{\"status\":\"ok\"}", MediaType.APPLICATION_JSON_TYPE)
                .build();
    }
}
