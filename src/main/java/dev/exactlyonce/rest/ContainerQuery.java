package dev.exactlyonce.rest;

import dev.exactlyonce.admission.MalformedQueryException;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.ws.rs.core.UriInfo;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds a request's query as the container received it. JAX-RS only has it as part of a URI, and senders write characters
 * that no URI has ({@code tags=a|b}). The servlet API is found by its name: not every server has it. Thread-safe.
 */
final class ContainerQuery {
    private static final String REQUEST = "jakarta.servlet.http.HttpServletRequest";

    /** The container's request for the current thread, and how it is asked. */
    private record Servlet(Object request, Method query) {
        /** Nothing where no servlet handles the request. */
        Optional<RawQuery> get() {
            try {
                Object raw = query.invoke(request);
                return Optional.of(new RawQuery(raw == null ? "" : (String) raw));
            } catch (InvocationTargetException outside) {
                if (outside.getCause() instanceof Error broken) {
                    throw broken;
                }
                return Optional.empty();
            } catch (IllegalAccessException notPublic) {
                return Optional.empty();
            }
        }
    }

    private volatile Optional<Servlet> servlet = Optional.empty();
    private volatile boolean isLookedUp;

    /** @throws MalformedQueryException when there is a query, and this server shows it as part of a valid URI alone */
    RawQuery of(UriInfo uri) {
        return servlet(uri).flatMap(Servlet::get).orElseGet(() -> parsed(uri));
    }

    private static RawQuery parsed(UriInfo uri) {
        try {
            String raw = uri.getRequestUri().getRawQuery();
            return new RawQuery(raw == null ? "" : raw);
        } catch (IllegalArgumentException notAUri) {
            throw new MalformedQueryException("The query has characters that no URI has.");
        }
    }

    private Optional<Servlet> servlet(UriInfo uri) {
        if (!isLookedUp) {
            servlet = find(uri);
            isLookedUp = true;
        }
        return servlet;
    }

    private static Optional<Servlet> find(UriInfo uri) {
        return Stream.of(
                        Thread.currentThread().getContextClassLoader(),
                        uri.getClass().getClassLoader())
                .filter(Objects::nonNull)
                .flatMap(it -> find(it).stream())
                .findFirst();
    }

    private static Optional<Servlet> find(ClassLoader loader) {
        try {
            Class<?> type = Class.forName(REQUEST, false, loader);
            BeanManager beans = CDI.current().getBeanManager();
            Bean<?> bean = beans.resolve(beans.getBeans(type));
            return bean == null
                    ? Optional.empty()
                    : Optional.of(new Servlet(
                            beans.getReference(bean, type, beans.createCreationalContext(bean)),
                            type.getMethod("getQueryString")));
        } catch (ReflectiveOperationException | LinkageError | RuntimeException none) { // then a URI is all there is
            return Optional.empty();
        }
    }
}
