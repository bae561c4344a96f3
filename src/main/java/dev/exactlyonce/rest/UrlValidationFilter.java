package dev.exactlyonce.rest;

import dev.exactlyonce.source.Sources;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;

/**
 * Answers 200 to a sender that asks without a body whether the address of a bound method is there, where the answer would be
 * that no method takes the request: a method of the application's own comes first.
 */
public final class UrlValidationFilter implements ContainerResponseFilter {
    private static final int NO_METHOD = 405;

    private final BoundAddresses addresses;

    public UrlValidationFilter(Bindings bindings, Sources sources) {
        this.addresses = new BoundAddresses(bindings, sources);
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getStatus() != NO_METHOD) {
            return;
        }
        String method = request.getMethod();
        if (addresses
                .sources(request.getUriInfo())
                .anyMatch(it -> it.urlValidation().answers(method))) {
            response.setStatus(200);
            response.setEntity(null);
            response.getHeaders().remove(HttpHeaders.CONTENT_TYPE);
        }
    }
}
