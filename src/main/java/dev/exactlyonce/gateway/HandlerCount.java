package dev.exactlyonce.gateway;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.lang.System.Logger.Level;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Counts who observes webhooks: without anybody they are acknowledged and lost. */
@Readiness
@ApplicationScoped
public class HandlerCount implements HealthCheck {
    private static final System.Logger LOG = System.getLogger(HandlerCount.class.getName());

    private final BeanManager beans;

    @Inject
    HandlerCount(BeanManager beans) {
        this.beans = beans;
    }

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected HandlerCount() {
        this(null);
    }

    void warn(@Observes Startup event) {
        if (handlers() == 0) {
            LOG.log(
                    Level.WARNING,
                    "EXON0603 nothing observes WebhookReceived: webhooks are acknowledged and go nowhere");
        }
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("gateway:handlers")
                .up()
                .withData("handlers", handlers())
                .build();
    }

    /** Asynchronous observers do not count: the event is fired synchronously, so that a failure is the sender's. */
    private long handlers() {
        WebhookReceived any = new WebhookReceived("any", "any", Map.of(), new byte[0], null);
        return beans.resolveObserverMethods(any).stream()
                .filter(it -> !it.isAsync())
                .count();
    }
}
