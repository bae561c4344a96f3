package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sender.WebhookEvent;
import dev.exactlyonce.sender.WebhookSender;

/** Checks and encodes an event, and hands it to the outbox. */
final class OutboxSender implements WebhookSender {
    private final SenderSettings settings;
    private final Dispatcher dispatcher;

    OutboxSender(SenderSettings settings, Dispatcher dispatcher) {
        this.settings = settings;
        this.dispatcher = dispatcher;
    }

    @Override
    public Sent send(String endpoint, WebhookEvent event) {
        Endpoint to = settings.endpoint(endpoint);
        byte[] body = event.body(to.codec());
        if (body.length > to.maxBodySize()) {
            throw new IllegalArgumentException("the body is " + body.length + " bytes; endpoint " + endpoint
                    + " takes at most " + to.maxBodySize() + " (max-body-size)");
        }
        return dispatcher.enqueue(new OutgoingEvent(endpoint, event.key(), event.headers(), body));
    }
}
