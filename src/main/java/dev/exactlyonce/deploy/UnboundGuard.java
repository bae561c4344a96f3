package dev.exactlyonce.deploy;

import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.rest.Bindings;
import dev.exactlyonce.rest.ContainerMade;
import dev.exactlyonce.rest.Responses;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Before every method that is not bound: refuses the request when the instance behind it asks for admission after all, or
 * when a class that is bound as a class has led to it. JAX-RS may name an interface or a superclass as the resource class,
 * and what it takes for a resource method may differ from what the table says; a locator may return anything. Only the
 * instances show it. In such a case nothing would admit the delivery, so readiness turns DOWN, too.
 */
final class UnboundGuard implements ContainerRequestFilter {
    private static final System.Logger LOG = System.getLogger(UnboundGuard.class.getName());

    private static final ClassValue<Boolean> ASKS_AS_A_CLASS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return BindingAnnotations.anyOnClass(type);
        }
    };

    private final Method method;
    private final Bindings bindings;
    private final DegradedFacts facts;

    private final ClassValue<Boolean> asks = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return BindingAnnotations.anyOnMethod(type, implementation(type));
        }
    };

    UnboundGuard(Method method, Bindings bindings, DegradedFacts facts) {
        this.method = method;
        this.bindings = bindings;
        this.facts = facts;
    }

    @Override
    public void filter(ContainerRequestContext context) {
        List<Object> matched = context.getUriInfo().getMatchedResources();
        if (matched.isEmpty() || !BindingScanner.covers(context.getMethod().toUpperCase(Locale.ROOT))) {
            return;
        }
        Class<?> type = matched.get(0).getClass();
        Optional<Class<?>> leading = leading(matched);
        if (asks.get(type)) {
            refuse(
                    context,
                    "EXON0005 {0}.{1} asks for admission and is not bound, so nothing would admit its deliveries; let CDI"
                            + " make the resource, with its JAX-RS annotations on the class itself",
                    type.getName(),
                    method.getName());
        } else if (leading.isPresent()) {
            refuse(
                    context,
                    "EXON0008 {0}.{1} is not bound, and {2} has led to it, which is bound as a class, so nothing would"
                            + " admit its deliveries; put @ExactlyOnce on the method, or on the methods of {2} in place of"
                            + " the class",
                    ContainerMade.beanClass(type).getName(),
                    method.getName(),
                    ContainerMade.beanClass(leading.get()).getName());
        }
    }

    /** The class whose locators have led to the method and that asks for admission as a class. */
    private Optional<Class<?>> leading(List<Object> matched) {
        return matched.stream()
                .skip(1)
                .<Class<?>>map(Object::getClass)
                .filter(it -> bindings.coversClass(it) || ASKS_AS_A_CLASS.get(it))
                .findFirst();
    }

    private void refuse(ContainerRequestContext context, String message, Object... details) {
        LOG.log(Level.ERROR, message, details);
        facts.refuseDeployment();
        context.abortWith(Responses.fault());
    }

    /** The class's own method behind the one that JAX-RS matched. */
    private Method implementation(Class<?> type) {
        try {
            return type.getMethod(method.getName(), method.getParameterTypes());
        } catch (NoSuchMethodException notPublic) {
            return method;
        }
    }
}
