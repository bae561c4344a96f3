package dev.exactlyonce.rest;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;

/**
 * A delivery that is answered without its handler. Thrown, which is right for every return type; with an entity, so that
 * an application's exception mappers leave it alone; without a stack trace, since it is no fault and may come often.
 */
public final class RefusedDeliveryException extends WebApplicationException {
    private static final long serialVersionUID = 1L;

    RefusedDeliveryException(Response response) {
        super(response);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
