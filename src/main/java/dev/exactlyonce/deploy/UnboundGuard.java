package dev.exactlyonce.deploy;

import dev.exactlyonce.rest.Answers;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;

/**
 * Before every method that is not bound: refuses the request when the instance behind it asks for admission after all.
 * JAX-RS may name an interface or a superclass as the resource class, and what it takes for a resource method may differ
 * from what the table says; only the instance shows it. In such a case nothing would admit the delivery.
 */
final class UnboundGuard implements ContainerRequestFilter {
    private static final System.Logger LOG = System.getLogger(UnboundGuard.class.getName());

    private final Method method;

    private final ClassValue<Boolean> asks = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return BindingScanner.asksForAdmission(type, implementation(type));
        }
    };

    UnboundGuard(Method method) {
        this.method = method;
    }

    @Override
    public void filter(ContainerRequestContext context) {
        List<Object> matched = context.getUriInfo().getMatchedResources();
        if (matched.isEmpty()
                || !BindingScanner.covers(context.getMethod().toUpperCase(Locale.ROOT))
                || !asks.get(matched.get(0).getClass())) {
            return;
        }
        LOG.log(
                Level.ERROR,
                "EXON0005 {0}.{1} asks for admission and is not bound, so nothing would admit its deliveries; let CDI make"
                        + " the resource, with its JAX-RS annotations on the class itself",
                matched.get(0).getClass().getName(),
                method.getName());
        context.abortWith(Answers.fault());
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
