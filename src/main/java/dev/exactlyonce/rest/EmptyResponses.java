package dev.exactlyonce.rest;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;

/**
 * Lets a replayed answer without a body leave without one. It is thrown with {@link #NOTHING} as its entity, since an
 * exception without any would be answered by the application's exception mappers.
 */
public final class EmptyResponses implements ContainerResponseFilter {
    /** Before every other response filter: they see what they saw the first time. */
    public static final int PRIORITY = Integer.MAX_VALUE;

    /** This very array stands for no entity. */
    static final byte[] NOTHING = new byte[0];

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getEntity() == NOTHING) {
            response.setEntity(null);
            response.getHeaders().remove(HttpHeaders.CONTENT_TYPE);
        }
    }
}
