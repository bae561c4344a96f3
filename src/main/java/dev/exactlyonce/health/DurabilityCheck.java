package dev.exactlyonce.health;

import dev.exactlyonce.guard.Durability;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Says whether deduplication is as durable as configured. UP while degraded: DOWN would take every replica out at once.
 * Added by the extension where MicroProfile Health is there.
 */
@Readiness
@ApplicationScoped
public class DurabilityCheck implements HealthCheck {
    private static final String NAME = "durability:idempotency";

    private final Durability durability;

    @Inject
    DurabilityCheck(Durability durability) {
        this.durability = durability;
    }

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected DurabilityCheck() {
        this(null);
    }

    @Override
    public HealthCheckResponse call() {
        var fact = durability.fact();
        var response = HealthCheckResponse.named(NAME)
                .status(!durability.isDown())
                .withData("application", durability.application())
                .withData("store", durability.store())
                .withData("configured", durability.configured())
                .withData("degraded", fact.isPresent());
        fact.ifPresent(it -> response.withData("reason", it.reason())
                .withData("since", it.since().toString())
                .withData("hint", it.hint()));
        return response.build();
    }
}
