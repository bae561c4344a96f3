package dev.exactlyonce.rest;

import dev.exactlyonce.admission.Preparation;
import dev.exactlyonce.admission.Reply;
import dev.exactlyonce.source.Challenge;
import dev.exactlyonce.source.JsonProviders;
import dev.exactlyonce.spi.RecordedAnswer;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Map;

/**
 * Every answer that is not the handler's own. Errors are RFC 9457 problems; none holds an exception's text, a class name
 * or a value that was sent.
 */
public final class Responses {
    private static final String PROBLEM = "application/problem+json";
    private static final String REPLAYED = "Idempotent-Replayed";
    private static final int OUTAGE_RETRY_SECONDS = 10;
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

    private static final Map<Integer, String> TITLES = Map.ofEntries(
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(404, "Not Found"),
            Map.entry(409, "Conflict"),
            Map.entry(413, "Content Too Large"),
            Map.entry(415, "Unsupported Media Type"),
            Map.entry(422, "Unprocessable Content"),
            Map.entry(425, "Too Early"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(503, "Service Unavailable"));

    private Responses() {}

    static Response sourceNotDeclared() {
        return problem(404, "No such source is declared.").build();
    }

    static Response encoded() {
        return problem(415, "Content-Encoding is not supported: a signature covers the bytes as they were sent.")
                .build();
    }

    static Response unreadable() {
        return problem(400, "The body could not be read.").build();
    }

    static Response malformedQuery() {
        return problem(400, "The query could not be read.").build();
    }

    static Response tooLarge(Preparation.TooLarge it) {
        return problem(413, "The body is larger than " + it.maxBodySize() + " bytes.")
                .build();
    }

    static Response unverified() {
        return problem(401, "The signature is missing or not valid.").build();
    }

    static Response unkeyed(Preparation.Unkeyed it) {
        return problem(400, it.reason()).build();
    }

    /** Never taken for a document: it may repeat what was sent. */
    static Response reply(Reply it) {
        return Response.status(it.status())
                .type(it.mediaType())
                .header("X-Content-Type-Options", "nosniff")
                .entity(it.text().isEmpty() ? null : it.text())
                .build();
    }

    static Response challenge(Challenge.ChallengeAnswer it) {
        Response.ResponseBuilder answer = Response.fromResponse(reply(it.reply()));
        it.headers().forEach(answer::header);
        return answer.build();
    }

    /** @param answer of the record, with the status of a 2xx, or of a failure that was kept and is answered again */
    public static Response duplicate(RecordedAnswer answer) {
        return StoredAnswer.decode(answer.content())
                .map(it -> it.replay(answer.status()).header(REPLAYED, "true").build())
                .orElseGet(() -> processed(answer.status()));
    }

    private static Response processed(int status) {
        if (status >= 200 && status < 300) {
            return Response.ok("{\"status\":\"duplicate\"}", MediaType.APPLICATION_JSON_TYPE)
                    .header(REPLAYED, "true")
                    .build();
        }
        return problem(status, "This delivery was processed before, and refused.")
                .header(REPLAYED, "true")
                .build();
    }

    /** @param status the source's {@code in-flight-status} */
    public static Response inFlight(int status, Duration leaseLeft) {
        Duration wait = leaseLeft.compareTo(LONGEST_RETRY) < 0 ? leaseLeft : LONGEST_RETRY;
        return problem(status, "A copy of this delivery is being processed.")
                .header("Retry-After", Math.max(1, wait.plusMillis(999).toSeconds()))
                .build();
    }

    /** Another delivery of its session runs, and has run for as long as this one could wait. */
    public static Response busySession() {
        return problem(503, "Another delivery of this session is being processed; send it again.")
                .header("Retry-After", 1)
                .build();
    }

    public static Response otherBody() {
        return problem(422, "This idempotency key was used with another body.").build();
    }

    public static Response unavailable() {
        return problem(503, "The delivery cannot be checked for duplicates now; send it again.")
                .header("Retry-After", OUTAGE_RETRY_SECONDS)
                .build();
    }

    /** For a fault on our side: the log has what it is. */
    public static Response fault() {
        return problem(500, "The delivery could not be processed.").build();
    }

    /** A failure of the handler, and none of its admission: what becomes of its key is {@code record-on}'s to say. */
    public static RuntimeException rolledBack() {
        return new WebApplicationException(
                "a transaction was rolled back although its method returned normally",
                problem(500, "The delivery's transaction was rolled back; send it again.")
                        .build());
    }

    /** The same answer as an exception: the only form that is right for every return type. */
    public static RefusedDeliveryException refuse(Response answer) {
        return new RefusedDeliveryException(answer);
    }

    private static Response.ResponseBuilder problem(int status, String detail) {
        String body = JsonProviders.JSON
                .createObjectBuilder()
                .add("type", "about:blank")
                .add("title", TITLES.getOrDefault(status, "Refused"))
                .add("status", status)
                .add("detail", detail)
                .build()
                .toString();
        return Response.status(status).type(PROBLEM).entity(body);
    }
}
