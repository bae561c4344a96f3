package dev.exactlyonce.deploy;

import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.rest.Binding;
import dev.exactlyonce.rest.Bindings;
import dev.exactlyonce.rest.ContainerMade;
import dev.exactlyonce.rest.DeliveryFilter;
import dev.exactlyonce.rest.Responses;
import jakarta.annotation.Priority;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * Before every bound method, and before its delivery is prepared: refuses the request when CDI has not made the instance.
 * That is a fault of the application which only its instances show, so it also turns readiness DOWN.
 */
@Priority(InstanceGuard.PRIORITY)
final class InstanceGuard implements ContainerRequestFilter {
    static final int PRIORITY = DeliveryFilter.PRIORITY - 1;

    private static final System.Logger LOG = System.getLogger(InstanceGuard.class.getName());

    private final Binding binding;
    private final Bindings bindings;
    private final DegradedFacts facts;

    InstanceGuard(Binding binding, Bindings bindings, DegradedFacts facts) {
        this.binding = binding;
        this.bindings = bindings;
        this.facts = facts;
    }

    @Override
    public void filter(ContainerRequestContext context) {
        List<Object> matched = context.getUriInfo().getMatchedResources();
        if (isMadeByCdi(matched)) {
            return;
        }
        LOG.log(
                Level.ERROR,
                "EXON0401 {0} {1}: the resource was not made by CDI, so nothing would admit its deliveries; let CDI"
                        + " make it (no getSingletons(), no new in a locator)",
                binding.httpMethod(),
                binding.template());
        facts.refuseDeployment();
        context.abortWith(Responses.fault());
    }

    /** A container's intercepted instance or proxy is of a subclass that it made; the bare class was created by the application. */
    private boolean isMadeByCdi(List<Object> matched) {
        return !matched.isEmpty()
                && ContainerMade.is(matched.get(0))
                && bindings.knows(matched.get(0).getClass());
    }
}
