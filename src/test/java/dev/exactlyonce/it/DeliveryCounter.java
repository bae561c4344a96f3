package dev.exactlyonce.it;

import dev.exactlyonce.gateway.WebhookReceived;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/** Counts what the gateway admits, outside the server. */
@ApplicationScoped
public class DeliveryCounter {
    @Inject
    EffectsClient effects;

    void count(@Observes WebhookReceived delivery) {
        effects.happen("received-" + delivery.source());
    }
}
