package dev.exactlyonce.it;

import dev.exactlyonce.Delivery;
import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.OneAtATime;
import dev.exactlyonce.Turn;
import dev.exactlyonce.TurnLock;
import dev.exactlyonce.TurnTimeoutException;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Work that takes its turn. */
@Path("/turns/{session}")
@RequestScoped
public class TurnResource {
    @Inject
    TurnLock turns;

    @Inject
    Delivery delivery;

    @Inject
    EffectsClient effects;

    @PathParam("session")
    String session;

    @POST
    public Response work() {
        return inTurn(() -> {});
    }

    @POST
    @Path("/gate/{gate}")
    public Response workAtGate(@PathParam("gate") String gate) {
        return inTurn(() -> {
            effects.happen(gate + "-begun");
            effects.waitAt(gate);
        });
    }

    @POST
    @Path("/serialised")
    @ExactlyOnce("serialised")
    @OneAtATime("query:customer")
    public String serialised(@QueryParam("customer") String customer) {
        return inTurnOf(customer);
    }

    @POST
    @Path("/own")
    @ExactlyOnce("serialised")
    @OneAtATime(value = "query:customer", missing = OneAtATime.MissingSession.OWN)
    public String withoutSession() {
        return "ran";
    }

    @POST
    @Path("/held/{gate}")
    @ExactlyOnce("serialised")
    @OneAtATime("query:customer")
    public CompletionStage<String> held(@QueryParam("customer") String customer, @PathParam("gate") String gate) {
        effects.happen(gate + "-begun");
        return CompletableFuture.supplyAsync(() -> {
            effects.waitAt(gate);
            return "ran";
        });
    }

    private String inTurnOf(String customer) {
        effects.enter(customer);
        boolean isWritten = effects.write(customer, delivery.turn().fence());
        effects.leave(customer);
        return "held=" + delivery.turn().stillHeld() + " written=" + isWritten;
    }

    private Response inTurn(Runnable work) {
        try (Turn turn = turns.take(session, Duration.ofSeconds(30))) {
            effects.enter(session);
            work.run();
            boolean isHeld = turn.stillHeld();
            boolean isWritten = effects.write(session, turn.fence());
            effects.leave(session);
            return Response.ok("held=" + isHeld + " written=" + isWritten).build();
        } catch (TurnTimeoutException busy) {
            return Response.status(503).build();
        }
    }
}
