package dev.exactlyonce.it;

import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.SenderEvent;
import dev.exactlyonce.sender.WebhookEvent;
import dev.exactlyonce.sender.WebhookSender;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Application;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** An application that sends, and one that receives what it sends. */
public final class SendingApplication {
    private SendingApplication() {}

    @ApplicationPath("/api")
    public static class App extends Application {}

    @Path("/")
    @ApplicationScoped
    public static class Sends {
        private final AtomicInteger delivered = new AtomicInteger();
        private final AtomicInteger circuits = new AtomicInteger();

        @Inject
        WebhookSender sender;

        @Inject
        DeadLetters letters;

        @POST
        @Path("/events/{prefix}")
        public String send(
                @PathParam("prefix") String prefix, @QueryParam("from") int from, @QueryParam("count") int count) {
            int queued = 0;
            for (int i = from; i < from + count; i++) {
                WebhookEvent event = WebhookEvent.json(new EventKey(prefix + "-" + i), prefix + "-" + i);
                queued += sender.send("crm", event) == WebhookSender.Sent.QUEUED ? 1 : 0;
            }
            return Integer.toString(queued);
        }

        void hear(@Observes SenderEvent event) {
            delivered.addAndGet(event instanceof SenderEvent.Delivered ? 1 : 0);
            circuits.addAndGet(event instanceof SenderEvent.CircuitChanged ? 1 : 0);
        }

        @GET
        @Path("/delivered")
        public int delivered() {
            return delivered.get();
        }

        @GET
        @Path("/circuits")
        public int circuits() {
            return circuits.get();
        }

        @GET
        @Path("/dead")
        public int dead() {
            return letters.list(DeadLetters.Filter.ALL.limit(1000)).size();
        }

        @POST
        @Path("/replay")
        public int replay() {
            return letters.replayAll(DeadLetters.Filter.ALL, false).replayed();
        }
    }

    /** Takes each event once, and lets its effect happen outside. */
    @Path("/hook")
    @ApplicationScoped
    public static class Receives {
        @Inject
        EffectsClient effects;

        @POST
        @dev.exactlyonce.ExactlyOnce("crm")
        public Map<String, String> receive(String effect) {
            effects.happen(effect.replace("\"", ""));
            return Map.of("status", "ok");
        }
    }
}
