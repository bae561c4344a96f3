package dev.exactlyonce.it;

import dev.exactlyonce.Turn;
import dev.exactlyonce.TurnLock;
import dev.exactlyonce.TurnTimeoutException;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import java.time.Duration;

/** Work that takes its turn. */
@Path("/turns/{session}")
@RequestScoped
public class TurnResource {
    @Inject
    TurnLock turns;

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
