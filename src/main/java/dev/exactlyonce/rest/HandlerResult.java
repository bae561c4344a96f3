package dev.exactlyonce.rest;

import dev.exactlyonce.admission.Failures;
import dev.exactlyonce.admission.Outcome;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** Reads the end of a resource method. */
public final class HandlerResult {
    private HandlerResult() {}

    /** A response by its status; nothing as 204, anything else as 200: what JAX-RS makes of them. */
    public static Outcome returned(@Nullable Object value) {
        if (value instanceof Response response) {
            return Outcome.ofStatus(response.getStatus());
        }
        return Outcome.ofStatus(value == null ? 204 : 200);
    }

    /** An exception by the status that it carries, else as a 500. A mapper's answer does not count. */
    public static Outcome failed(Throwable failure, boolean ofStage) {
        if (Failures.isUnfinished(failure, ofStage)) {
            return Outcome.unfinished();
        }
        return Failures.unwrap(failure) instanceof WebApplicationException it
                ? Outcome.ofFailure(it.getResponse().getStatus())
                : Outcome.ofFailure(500);
    }
}
