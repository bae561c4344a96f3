package dev.exactlyonce.gateway;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.SenderControl;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The dead-letter queue for an operator. Every method asks for the role itself: an annotation alone is ignored on a server
 * without appSecurity, and would then let everyone in. This one refuses everyone there.
 */
@Path("/operator")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class OperatorResource {
    static final String ROLE = "exactlyonce-operator";

    private final DeadLetters letters;
    private final SenderControl control;

    @Context
    @SuppressWarnings("NullAway.Init")
    private SecurityContext security;

    @Inject
    public OperatorResource(DeadLetters letters, SenderControl control) {
        this.letters = letters;
        this.control = control;
    }

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected OperatorResource() {
        this(null, null);
    }

    /** A page of entries, without their bodies; {@code after} is the last id of the page before. */
    @GET
    @Path("/dead-letters")
    public JsonObject list(
            @QueryParam("endpoint") @Nullable String endpoint,
            @QueryParam("after") @Nullable String after,
            @QueryParam("limit") @DefaultValue("100") int limit) {
        requireOperator();
        JsonArrayBuilder entries = Json.createArrayBuilder();
        page(endpoint, limit, Optional.ofNullable(after)).forEach(it -> entries.add(json(it)));
        return Json.createObjectBuilder().add("entries", entries).build();
    }

    /** One entry with its exact bytes, in Base64. */
    @GET
    @Path("/dead-letters/{id}")
    public JsonObject get(@PathParam("id") String id) {
        requireOperator();
        DeadLetter letter =
                letters.get(id).orElseThrow(() -> failure(Response.Status.NOT_FOUND, "there is no such entry"));
        return json(letter)
                .add("body", Base64.getEncoder().encodeToString(letter.body()))
                .build();
    }

    /** {@code replayed}, {@code already-replayed}; 404 for an unknown entry, 409 for one that needs {@code force=true}. */
    @POST
    @Path("/dead-letters/{id}/replay")
    public JsonObject replay(@PathParam("id") String id, @QueryParam("force") boolean force) {
        requireOperator();
        DeadLetters.Replay result = letters.replay(id, force);
        return switch (result) {
            case UNKNOWN -> throw failure(Response.Status.NOT_FOUND, "there is no such entry");
            case NEEDS_FORCE ->
                throw failure(
                        Response.Status.CONFLICT,
                        "its first attempt is older than the replay window, and the receiver may have forgotten its key;"
                                + " force=true replays it all the same");
            case REPLAYED, ALREADY_REPLAYED ->
                status(result.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        };
    }

    /** Replays all entries, or all of one endpoint. */
    @POST
    @Path("/dead-letters/replay")
    public JsonObject replayAll(@QueryParam("endpoint") @Nullable String endpoint, @QueryParam("force") boolean force) {
        requireOperator();
        DeadLetters.ReplaySummary all = letters.replayAll(filter(endpoint, 100, Optional.empty()), force);
        return Json.createObjectBuilder()
                .add("replayed", all.replayed())
                .add("needForce", all.needForce())
                .build();
    }

    @DELETE
    @Path("/dead-letters/{id}")
    public JsonObject discard(@PathParam("id") String id) {
        requireOperator();
        if (!letters.discard(id)) {
            throw failure(Response.Status.NOT_FOUND, "there is no such entry");
        }
        return status("discarded");
    }

    /** Sends to an endpoint again that had answered 410. */
    @POST
    @Path("/endpoints/{name}/enable")
    public JsonObject enable(@PathParam("name") String name) {
        requireOperator();
        if (!control.enable(name)) {
            throw failure(Response.Status.NOT_FOUND, "no endpoint of that name is disabled");
        }
        return status("enabled");
    }

    private void requireOperator() {
        if (!security.isUserInRole(ROLE)) {
            throw failure(Response.Status.FORBIDDEN, "the role " + ROLE + " is needed");
        }
    }

    private List<DeadLetter> page(@Nullable String endpoint, int limit, Optional<String> after) {
        try {
            return letters.list(filter(endpoint, limit, after));
        } catch (IllegalArgumentException fault) {
            throw failure(Response.Status.BAD_REQUEST, "after is not the id of an entry");
        }
    }

    private static DeadLetters.Filter filter(@Nullable String endpoint, int limit, Optional<String> after) {
        try {
            DeadLetters.Filter all = DeadLetters.Filter.ALL.limit(limit);
            DeadLetters.Filter some = after.map(all::after).orElse(all);
            return endpoint == null ? some : some.ofEndpoint(endpoint);
        } catch (IllegalArgumentException fault) {
            throw failure(Response.Status.BAD_REQUEST, String.valueOf(fault.getMessage()));
        }
    }

    /** Headers by their names alone: a value may be a credential. */
    private static JsonObjectBuilder json(DeadLetter letter) {
        JsonArrayBuilder attempts = Json.createArrayBuilder();
        letter.attempts()
                .forEach(it -> attempts.add(Json.createObjectBuilder()
                        .add("number", it.number())
                        .add("at", it.at().toString())
                        .add("outcome", it.outcome())));
        JsonObjectBuilder json = Json.createObjectBuilder()
                .add("id", letter.id())
                .add("endpoint", letter.endpoint())
                .add("key", letter.key().value())
                .add("error", letter.error())
                .add("since", letter.since().toString())
                .add(
                        "headers",
                        Json.createArrayBuilder(List.copyOf(letter.headers().keySet())))
                .add("attempts", attempts);
        addTime(json, "firstAttempt", letter.firstAttempt());
        addTime(json, "notBefore", letter.notBefore());
        addTime(json, "replayed", letter.replayed());
        return json;
    }

    private static void addTime(JsonObjectBuilder json, String name, Optional<Instant> time) {
        time.ifPresent(it -> json.add(name, it.toString()));
    }

    private static JsonObject status(String word) {
        return Json.createObjectBuilder().add("status", word).build();
    }

    private static WebApplicationException failure(Response.Status status, String detail) {
        JsonObject problem = Json.createObjectBuilder()
                .add("status", status.getStatusCode())
                .add("title", status.getReasonPhrase())
                .add("detail", detail)
                .build();
        return new WebApplicationException(Response.status(status)
                .type("application/problem+json")
                .entity(problem.toString())
                .build());
    }
}
