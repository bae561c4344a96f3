package dev.exactlyonce.gateway;

import dev.exactlyonce.rest.Responses;
import dev.exactlyonce.sender.OutboxUnavailableException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.lang.System.Logger.Level;

/** Answers a failed observer without showing what failed; the log has it. */
@Provider
public class UnhandledFailure implements ExceptionMapper<Throwable> {
    private static final System.Logger LOG = System.getLogger(UnhandledFailure.class.getName());

    @Override
    public Response toResponse(Throwable failure) {
        if (failure instanceof WebApplicationException it) {
            return it.getResponse();
        }
        LOG.log(Level.ERROR, "EXON0602 a webhook could not be processed", failure);
        return failure instanceof OutboxUnavailableException ? Responses.unavailable() : Responses.fault();
    }
}
