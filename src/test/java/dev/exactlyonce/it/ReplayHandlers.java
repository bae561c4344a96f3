package dev.exactlyonce.it;

import dev.exactlyonce.Delivery;
import dev.exactlyonce.ExactlyOnce;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.NewCookie;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** One method for each kind of answer; what it answers differs from run to run. */
public final class ReplayHandlers {
    /** On another thread than the request's, which has returned by then. */
    private static final Executor LATER = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

    private ReplayHandlers() {}

    public static class Receipt {
        public String id = "h\u00e9";
        public int run;

        public Receipt() {}

        Receipt(int run) {
            this.run = run;
        }
    }

    /** An application that maps whatever it can: a replayed answer is none of its business. */
    @Provider
    public static class MapsAll implements ExceptionMapper<Throwable> {
        @Override
        public Response toResponse(Throwable failure) {
            return Response.status(500).entity("mapped").build();
        }
    }

    @Path("/replays")
    @RequestScoped
    @ExactlyOnce("replays")
    public static class Replays {
        @Inject
        Handlers.Runs runs;

        @Inject
        Delivery delivery;

        private int run() {
            return runs.next(delivery.key());
        }

        @POST
        @Path("/text")
        public String text(String body) {
            return "h\u00e9 " + run();
        }

        @POST
        @Path("/latin")
        @Produces("text/plain;charset=ISO-8859-1")
        public String latin(String body) {
            return "h\u00e9 " + run();
        }

        @POST
        @Path("/choice")
        @Produces({"application/xml", "text/csv"})
        public String choice(String body) {
            return "<h\u00e9 run='" + run() + "'/>";
        }

        @POST
        @Path("/bytes")
        @Produces("image/png")
        public byte[] bytes(String body) {
            byte[] all = new byte[257];
            for (int i = 0; i < 256; i++) {
                all[i] = (byte) i;
            }
            all[256] = (byte) run();
            return all;
        }

        @POST
        @Path("/nothing")
        public void nothing(String body) {
            run();
        }

        @POST
        @Path("/pojo")
        @Produces(MediaType.APPLICATION_JSON)
        public Receipt pojo(String body) {
            return new Receipt(run());
        }

        @POST
        @Path("/list")
        @Produces("application/vnd.receipts+json")
        public List<Receipt> list(String body) {
            return List.of(new Receipt(run()), new Receipt(0));
        }

        @POST
        @Path("/jsonp")
        public JsonObject jsonp(String body) {
            return Json.createObjectBuilder().add("h\u00e9", run()).build();
        }

        @POST
        @Path("/stage")
        public CompletionStage<Response> stage(String body) {
            String text = "h\u00e9 " + run();
            return CompletableFuture.supplyAsync(
                    () -> Response.ok(text, "text/plain;charset=UTF-16BE").build(), LATER);
        }

        @POST
        @Path("/json-stage")
        @Produces(MediaType.APPLICATION_JSON)
        public CompletionStage<Receipt> jsonStage(String body) {
            int run = run();
            return CompletableFuture.supplyAsync(() -> new Receipt(run), LATER);
        }

        @POST
        @Path("/response")
        public Response response(String body) {
            return Response.created(URI.create("receipts/" + run()))
                    .type(MediaType.APPLICATION_JSON)
                    .tag("v" + run())
                    .language("fr")
                    .header("X-Internal", "1")
                    .header("WWW-Authenticate", "Basic")
                    .cookie(new NewCookie.Builder("session").value("secret").build())
                    .entity(new Receipt(run()))
                    .build();
        }

        @POST
        @Path("/accepted")
        public Response accepted(String body) {
            return Response.accepted().header("Retry-After", run()).build();
        }

        @POST
        @Path("/stream")
        public StreamingOutput stream(String body) {
            run();
            return out -> out.write("stream".getBytes(StandardCharsets.UTF_8));
        }

        @POST
        @Path("/input")
        public Response input(String body) {
            run();
            InputStream stream = new ByteArrayInputStream("input".getBytes(StandardCharsets.UTF_8));
            return Response.ok(stream, "text/plain").build();
        }

        @POST
        @Path("/large")
        public String large(String body) {
            return "x".repeat(1_000 + run());
        }

        @POST
        @Path("/large-json")
        @Produces(MediaType.APPLICATION_JSON)
        public Receipt largeJson(String body) {
            Receipt receipt = new Receipt(run());
            receipt.id = "x".repeat(1_000);
            return receipt;
        }
    }

    public interface Contract {
        @POST
        @Path("/method")
        @Produces(MediaType.APPLICATION_JSON)
        Receipt byMethod(String body);
    }

    @Produces(MediaType.APPLICATION_JSON)
    public interface JsonContract extends Contract {
        @POST
        @Path("/type")
        Receipt byType(String body);
    }

    @Path("/replays-by-contract")
    @RequestScoped
    @ExactlyOnce("replays")
    public static class ReplaysByContract implements JsonContract {
        @Inject
        Handlers.Runs runs;

        @Inject
        Delivery delivery;

        @Override
        public Receipt byMethod(String body) {
            return new Receipt(runs.next(delivery.key()));
        }

        @Override
        public Receipt byType(String body) {
            return new Receipt(runs.next(delivery.key()));
        }
    }

    @Path("/replays-by-class")
    @RequestScoped
    @Produces(MediaType.APPLICATION_JSON)
    @ExactlyOnce("replays")
    public static class ReplaysByClass {
        @Inject
        Handlers.Runs runs;

        @Inject
        Delivery delivery;

        @POST
        public Receipt receive(String body) {
            return new Receipt(runs.next(delivery.key()));
        }
    }

    @Path("/replays-failures")
    @RequestScoped
    @ExactlyOnce("replays-failures")
    public static class ReplaysFailures {
        @Inject
        Handlers.Runs runs;

        @Inject
        Delivery delivery;

        @POST
        @Path("/returned")
        public Response returned(String body) {
            return Response.status(422)
                    .type("text/plain")
                    .entity("refused " + runs.next(delivery.key()))
                    .build();
        }

        @POST
        @Path("/thrown")
        public String thrown(String body) {
            throw new WebApplicationException(Response.status(503)
                    .header("Retry-After", "7")
                    .type("text/plain")
                    .entity("thrown " + runs.next(delivery.key()))
                    .build());
        }

        @POST
        @Path("/mapped")
        public String mapped(String body) {
            throw new BadRequestException("secret text");
        }
    }

    @Path("/forwards")
    @RequestScoped
    @ExactlyOnce("forwards")
    public static class Forwards {
        @Inject
        Handlers.Runs runs;

        @Inject
        Delivery delivery;

        @POST
        public Response receive(String body) {
            int run = runs.next(delivery.key());
            if (run == 3) {
                throw new IllegalStateException("secret text");
            }
            return Response.ok(
                            "run " + run + ", duplicate " + delivery.isDuplicate() + ", owned " + delivery.stillOwned())
                    .build();
        }
    }
}
