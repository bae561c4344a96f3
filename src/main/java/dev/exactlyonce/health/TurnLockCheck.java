package dev.exactlyonce.health;

import dev.exactlyonce.turn.TurnOutage;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Says whether turns are serialised as far as configured. Always UP, as {@link DurabilityCheck} while degraded. Added by the
 * extension where turns are kept in Redis and MicroProfile Health is there; its scope defines no bean, so that it is found
 * nowhere else.
 */
@Readiness
@Singleton
public class TurnLockCheck implements HealthCheck {
    private final TurnOutage outage;

    @Inject
    TurnLockCheck(TurnOutage outage) {
        this.outage = outage;
    }

    @Override
    public HealthCheckResponse call() {
        var fact = outage.fact();
        var response = HealthCheckResponse.named(outage.name()).up().withData("degraded", fact.isPresent());
        fact.ifPresent(it -> response.withData("reason", it.reason())
                .withData("since", it.since().toString())
                .withData("hint", it.hint()));
        return response.build();
    }
}
