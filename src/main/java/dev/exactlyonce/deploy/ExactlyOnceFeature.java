package dev.exactlyonce.deploy;

import dev.exactlyonce.admission.AdmissionEngine;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.rest.AnswerWriter;
import dev.exactlyonce.rest.Binding;
import dev.exactlyonce.rest.Bindings;
import dev.exactlyonce.rest.DeliveryFilter;
import dev.exactlyonce.rest.EmptyResponses;
import dev.exactlyonce.rest.RequestDelivery;
import dev.exactlyonce.rest.Responses;
import dev.exactlyonce.rest.UnregisteredCodings;
import dev.exactlyonce.source.Sources;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.Providers;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts the filter before every bound method, and a refusal before a method that asks for admission on a class that is no
 * bean. By then the application counts as started, so the refusal also turns readiness DOWN.
 */
public class ExactlyOnceFeature implements DynamicFeature {
    private static final System.Logger LOG = System.getLogger(ExactlyOnceFeature.class.getName());

    @Context
    private @Nullable Providers providers;

    @Override
    public void configure(ResourceInfo resource, FeatureContext context) {
        Class<?> type = resource.getResourceClass();
        Method method = resource.getResourceMethod();
        Bindings bindings = bean(Bindings.class);
        Optional<Binding> binding = bindings.find(type, method);
        if (binding.isPresent()) {
            bindings.filterIsThere(binding.get());
            context.register(
                    new InstanceGuard(binding.get(), bindings, bean(DegradedFacts.class)), InstanceGuard.PRIORITY);
            context.register(
                    new DeliveryFilter(
                            binding.get(),
                            bean(Sources.class),
                            bean(AdmissionEngine.class),
                            AnswerWriter.of(type, method, providers),
                            bean(RequestDelivery.class),
                            bean(UnregisteredCodings.class)),
                    DeliveryFilter.PRIORITY);
            context.register(new EmptyResponses(), EmptyResponses.PRIORITY);
        } else if (!bindings.knows(type) && BindingAnnotations.anyOnMethod(type, method)) {
            LOG.log(
                    Level.ERROR,
                    "EXON0004 {0}.{1} asks for admission, but its class is not a CDI bean, so its deliveries would not be"
                            + " admitted; give it a scope, and the archive a beans.xml",
                    type.getName(),
                    method.getName());
            bean(DegradedFacts.class).refuseDeployment();
            ContainerRequestFilter refusal = request -> request.abortWith(Responses.fault());
            context.register(refusal, DeliveryFilter.PRIORITY);
        } else {
            context.register(new UnboundGuard(method, bindings, bean(DegradedFacts.class)), DeliveryFilter.PRIORITY);
        }
    }

    private static <T> T bean(Class<T> type) {
        return CDI.current().select(type).get();
    }
}
