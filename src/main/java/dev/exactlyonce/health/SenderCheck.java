package dev.exactlyonce.health;

import dev.exactlyonce.sender.SenderControl;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Shows the state of each endpoint. Always UP: an unreachable endpoint is not a fault of this replica, and its events are kept.
 * Added by the extension where endpoints are declared and MicroProfile Health is there; its scope defines no bean, so that
 * it is found nowhere else.
 */
@Readiness
@Singleton
public class SenderCheck implements HealthCheck {
    private static final String NAME = "sender:endpoints";

    private final SenderControl sender;

    @Inject
    SenderCheck(SenderControl sender) {
        this.sender = sender;
    }

    @Override
    public HealthCheckResponse call() {
        var response = HealthCheckResponse.named(NAME).up();
        sender.endpoints().forEach(response::withData);
        return response.build();
    }
}
