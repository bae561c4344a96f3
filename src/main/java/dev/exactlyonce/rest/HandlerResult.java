package dev.exactlyonce.rest;

import dev.exactlyonce.admission.Failures;
import dev.exactlyonce.admission.Outcome;
import dev.exactlyonce.source.SourceSettings;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** Reads the end of a resource method. */
public final class HandlerResult {
    private final SourceSettings source;
    private final AnswerWriter writer;

    HandlerResult(SourceSettings source, AnswerWriter writer) {
        this.source = source;
        this.writer = writer;
    }

    /** The outcome of a return, with the answer where duplicates are to get it. */
    public Outcome ofReturned(@Nullable Object value) {
        Outcome outcome = returned(value);
        return source.policy().keepsAnswerOf(outcome)
                ? outcome.answered(writer.returned(value, source.replayMaxSize()))
                : outcome;
    }

    /** The outcome of an exception, or of a stage's failure, with the answer that it carries. */
    public Outcome ofFailure(Throwable failure, boolean ofStage) {
        Outcome outcome = failed(failure, ofStage);
        return source.policy().keepsAnswerOf(outcome)
                ? outcome.answered(writer.failed(failure, source.replayMaxSize()))
                : outcome;
    }

    /** A response by its status; nothing as 204, anything else as 200: what JAX-RS makes of them. */
    static Outcome returned(@Nullable Object value) {
        if (value instanceof Response response) {
            return Outcome.ofStatus(response.getStatus());
        }
        return Outcome.ofStatus(value == null ? 204 : 200);
    }

    /** An exception by the status that it carries, else as a 500. A mapper's answer does not count. */
    static Outcome failed(Throwable failure, boolean ofStage) {
        if (Failures.isUnfinished(failure, ofStage)) {
            return Outcome.unfinished();
        }
        if (Failures.unwrap(failure) instanceof RefusedDeliveryException) {
            return Outcome.notRun(); // it is ours, and no verdict of the handler's
        }
        return Failures.unwrap(failure) instanceof WebApplicationException it
                ? Outcome.ofFailure(it.getResponse().getStatus())
                : Outcome.ofFailure(500);
    }
}
