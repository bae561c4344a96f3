package dev.exactlyonce.it;

import dev.exactlyonce.Delivery;
import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.ExactlyOnceRunner;
import dev.exactlyonce.event.DeliveryEvent;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Stereotype;
import jakarta.inject.Inject;
import jakarta.interceptor.InterceptorBinding;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.UserTransaction;
import jakarta.validation.constraints.NotBlank;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.faulttolerance.Asynchronous;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.Timeout;

/** An application as users write them: one resource for each thing that a bound method may be. */
public final class Handlers {
    private Handlers() {}

    @ApplicationPath("/api")
    public static class App extends Application {}

    /** Counts a handler's runs by key, inside the application: for what a single replica shows. */
    @ApplicationScoped
    public static class Runs {
        private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
        private final Map<String, AtomicInteger> events = new ConcurrentHashMap<>();

        public int next(String key) {
            return runs.computeIfAbsent(key, it -> new AtomicInteger()).incrementAndGet();
        }

        void count(@Observes DeliveryEvent event) {
            events.computeIfAbsent(event.getClass().getSimpleName(), it -> new AtomicInteger())
                    .incrementAndGet();
        }

        int count(String event) {
            return events.getOrDefault(event, new AtomicInteger()).get();
        }

        String events() {
            return events.keySet().stream().sorted().toList().toString();
        }
    }

    @Path("/runs")
    @RequestScoped
    public static class RunsResource {
        @Inject
        Runs runs;

        @GET
        @Path("/events")
        public String events() {
            return runs.events();
        }

        @GET
        @Path("/events/{name}")
        public int count(@PathParam("name") String name) {
            return runs.count(name);
        }
    }

    public static class Pojo {
        public String status = "pojo";
    }

    @Path("/returns")
    @RequestScoped
    @ExactlyOnce("demo")
    public static class Returns {
        @Inject
        Runs runs;

        @POST
        @Path("/response")
        public Response response(String body) {
            return Response.status(201).entity("response").build();
        }

        @POST
        @Path("/pojo")
        @Produces(MediaType.APPLICATION_JSON)
        public Pojo pojo(String body) {
            return new Pojo();
        }

        @POST
        @Path("/string")
        public String string(String body) {
            return body;
        }

        @POST
        @Path("/void")
        public void nothing(String body) {}

        @POST
        @Path("/stream")
        public StreamingOutput stream(String body) {
            return out -> out.write("stream".getBytes(StandardCharsets.UTF_8));
        }

        @POST
        @Path("/stage")
        public CompletionStage<Response> stage(String body) {
            return CompletableFuture.supplyAsync(() -> Response.ok("stage").build());
        }

        @POST
        @Path("/future")
        public CompletableFuture<String> future(String body) {
            return CompletableFuture.supplyAsync(() -> "future");
        }

        @PUT
        @Path("/put")
        public String put(String body) {
            return "put";
        }

        @DELETE
        @Path("/delete")
        public String delete() {
            return "delete";
        }

        @GET
        @Path("/get")
        public String get() {
            return "get " + runs.next("get");
        }
    }

    @Path("/fails")
    @RequestScoped
    @ExactlyOnce("demo")
    public static class Fails {
        @Inject
        Runs runs;

        @Inject
        Delivery delivery;

        private boolean first() {
            return runs.next(delivery.key()) == 1;
        }

        @POST
        @Path("/exception")
        public String exception(String body) {
            if (first()) {
                throw new IllegalStateException("secret text");
            }
            return "second";
        }

        @POST
        @Path("/mapped")
        public String mapped(String body) {
            if (first()) {
                throw new MappedToOk();
            }
            return "second";
        }

        @POST
        @Path("/status/{status}")
        public Response status(@PathParam("status") int status) {
            return first()
                    ? Response.status(status).build()
                    : Response.ok("second").build();
        }

        @POST
        @Path("/stage")
        public CompletionStage<String> stage(String body) {
            boolean first = first();
            return CompletableFuture.supplyAsync(() -> {
                if (first) {
                    throw new IllegalStateException("secret text");
                }
                return "second";
            });
        }

        @POST
        @Path("/timed-out")
        @ExactlyOnce("short")
        public CompletionStage<String> timedOut(String body) {
            return first()
                    ? new CompletableFuture<String>().orTimeout(10, TimeUnit.MILLISECONDS)
                    : CompletableFuture.completedFuture("second");
        }

        @POST
        @Path("/kept")
        @ExactlyOnce("keeps-client-errors")
        public String kept(String body) {
            first();
            throw new BadRequestException("secret text");
        }
    }

    public static class MappedToOk extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Provider
    public static class Mapper implements ExceptionMapper<MappedToOk> {
        @Override
        public Response toResponse(MappedToOk failure) {
            return Response.ok("mapped").build();
        }
    }

    @Path("/transaction")
    @RequestScoped
    public static class InTransaction {
        @Inject
        Runs runs;

        @Inject
        EffectsClient effects;

        @Inject
        Delivery delivery;

        @Resource
        TransactionSynchronizationRegistry transaction;

        @POST
        @ExactlyOnce("demo")
        @Transactional
        public String receive(String effect) {
            boolean first = runs.next(delivery.key()) == 1;
            transaction.registerInterposedSynchronization(new Commit(first, () -> effects.happen(effect)));
            return "returned";
        }
    }

    /** Leaves a transaction open before the resource is asked, as a careless filter would. */
    @Provider
    public static class BeginsEarly implements ContainerRequestFilter, ContainerResponseFilter {
        @Resource
        UserTransaction transaction;

        @Override
        public void filter(ContainerRequestContext request) {
            if (request.getHeaderString("X-Begin") != null) {
                try {
                    transaction.begin();
                } catch (NotSupportedException | SystemException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        @Override
        public void filter(ContainerRequestContext request, ContainerResponseContext response) {
            if (request.getHeaderString("X-Begin") != null) {
                try {
                    transaction.rollback();
                } catch (SystemException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** Fails the commit, or lets the effect happen with it. */
    public static final class Commit implements Synchronization {
        private final boolean fails;
        private final Runnable effect;

        Commit(boolean fails, Runnable effect) {
            this.fails = fails;
            this.effect = effect;
        }

        @Override
        public void beforeCompletion() {
            if (fails) {
                throw new IllegalStateException("the commit fails");
            }
        }

        @Override
        public void afterCompletion(int status) {
            if (status == jakarta.transaction.Status.STATUS_COMMITTED) {
                effect.run();
            }
        }
    }

    @Path("/tolerant")
    @RequestScoped
    @ExactlyOnce("short")
    public static class Tolerant {
        @Inject
        Runs runs;

        @Inject
        Delivery delivery;

        @POST
        @Path("/retry")
        @Retry(maxRetries = 2, delay = 0)
        public String retry(String body) {
            int run = runs.next(delivery.key());
            if (run < 3) {
                throw new IllegalStateException("run " + run);
            }
            return "run " + run;
        }

        @POST
        @Path("/fallback")
        @Fallback(fallbackMethod = "instead")
        public String fallback(String body) {
            throw new IllegalStateException("down");
        }

        public String instead(String body) {
            return "fallback";
        }

        @POST
        @Path("/timeout")
        @Asynchronous
        @Timeout(50)
        public CompletionStage<String> timeout(String body) {
            return new CompletableFuture<>();
        }
    }

    @Path("/keys")
    @RequestScoped
    public static class Keys {
        @POST
        @Path("/header")
        @ExactlyOnce(
                value = "demo",
                key = {"header:X-Event-Id|header:X-Old-Id"})
        public String header(String body) {
            return "ok";
        }

        @POST
        @Path("/query")
        @ExactlyOnce(
                value = "demo",
                key = {"query:event"})
        public String query(@QueryParam("event") String event) {
            return "ok";
        }

        @POST
        @Path("/path/{tenant: [a-z]{1,8}}/{id}")
        @ExactlyOnce(
                value = "demo",
                key = {"path:tenant", "path:id"})
        public String path(@PathParam("id") String id) {
            return id;
        }

        @POST
        @Path("/form")
        @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
        @ExactlyOnce(
                value = "demo",
                key = {"form:event"})
        public String form(MultivaluedMap<String, String> form) {
            return form.getFirst("amount");
        }

        @POST
        @Path("/json")
        @ExactlyOnce(
                value = "demo",
                key = {"json:/event/id"})
        public String json(String body) {
            return body;
        }

        @POST
        @Path("/body")
        @ExactlyOnce(
                value = "demo",
                key = {"body"})
        public String body(byte[] body) {
            return Integer.toString(body.length);
        }

        @POST
        @Path("/fingerprint")
        @ExactlyOnce("fingerprinted")
        public String fingerprint(String body) {
            return "ok";
        }

        @POST
        @Path("/source/{name}")
        @ExactlyOnce("{name}")
        public String source(String body) {
            return "ok";
        }
    }

    @Path("/valid")
    @RequestScoped
    public static class Valid {
        @POST
        @ExactlyOnce("demo")
        public String receive(@NotBlank String body) {
            return "valid";
        }
    }

    @ExactlyOnce("demo")
    @Stereotype
    @RequestScoped
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    public @interface Webhook {}

    @Path("/stereotype")
    @Webhook
    public static class ByStereotype {
        @POST
        public String receive(String body) {
            return "ok";
        }
    }

    @ExactlyOnce("demo")
    @InterceptorBinding
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    public @interface Payment {}

    @Path("/binding")
    @RequestScoped
    public static class ByAnotherBinding {
        @POST
        @Payment
        public String receive(String body) {
            return "ok";
        }
    }

    @ExactlyOnce("demo")
    public static class BoundBase {
        @POST
        @Path("/inherited")
        public String inherited(String body) {
            return "ok";
        }
    }

    @Path("/sub")
    @RequestScoped
    public static class BySuperclass extends BoundBase {
        @POST
        @Path("/own")
        public String own(String body) {
            return "ok";
        }
    }

    @Path("/unscoped")
    public static class Unscoped {
        @POST
        @ExactlyOnce("demo")
        public String receive(String body) {
            return "ok";
        }
    }

    public interface Contract {
        @POST
        String receive(String body, String extra);
    }

    @Path("/contract")
    @RequestScoped
    @ExactlyOnce("demo")
    public static class ByContract implements Contract {
        @Override
        public String receive(String body, @HeaderParam("X-Extra") String extra) {
            return "ok";
        }
    }

    @Path("/runner")
    @RequestScoped
    public static class ByRunner {
        @Inject
        ExactlyOnceRunner runner;

        @Inject
        Delivery delivery;

        @Inject
        ByRunner self;

        @POST
        @Path("/run")
        public String run(String key) throws Exception {
            return runner.run("demo", List.of("message", key), () -> "ran")
                    .fold(ran -> ran.value(), duplicate -> "duplicate", inFlight -> "in flight", away -> "unavailable");
        }

        @POST
        @Path("/in-transaction")
        @Transactional
        public String runInTransaction(String key) throws Exception {
            try {
                return run(key);
            } catch (IllegalStateException expected) {
                return expected.getMessage();
            }
        }

        @POST
        @Path("/outside")
        public String outside(String body) {
            try {
                return delivery.key();
            } catch (IllegalStateException expected) {
                return "IllegalStateException";
            }
        }

        @POST
        @Path("/direct")
        public String direct(String body) {
            try {
                return self.bound(body);
            } catch (IllegalStateException expected) {
                return expected.getMessage();
            }
        }

        @POST
        @Path("/bound")
        @ExactlyOnce("demo")
        public String bound(String body) {
            return delivery.source() + " " + delivery.key() + " "
                    + delivery.leaseLeft().isNegative();
        }
    }

    @Path("/effects")
    @RequestScoped
    @ExactlyOnce("demo")
    public static class WithEffects {
        @Inject
        EffectsClient effects;

        @POST
        @Path("/happen")
        public String happen(String effect) {
            effects.happen(effect);
            return "ok";
        }

        @POST
        @Path("/slow")
        @ExactlyOnce("short")
        public String slow(String effect) {
            return happenSlowly(effect);
        }

        @POST
        @Path("/slow-with-a-long-lease")
        @ExactlyOnce("long")
        public String slowWithALongLease(String effect) {
            return happenSlowly(effect);
        }

        private String happenSlowly(String effect) {
            effects.happen(effect + "-begun");
            effects.waitAt(effect);
            effects.happen(effect);
            return "ok";
        }
    }
}
