package dev.exactlyonce.it;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.OneAtATime;
import jakarta.enterprise.concurrent.Asynchronous;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Vetoed;
import jakarta.inject.Inject;
import jakarta.inject.Qualifier;
import jakarta.interceptor.InterceptorBinding;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Application;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** One application for each fault that a fence is there for. */
public final class Faulty {
    private Faulty() {}

    @ApplicationPath("/")
    public static class App extends Application {}

    @Path("/fault")
    @RequestScoped
    public static class OnGet {
        @GET
        @ExactlyOnce("demo")
        public String read() {
            return "ran";
        }
    }

    @Path("/serialised")
    @RequestScoped
    public static class SerialisedUnbound {
        @POST
        @OneAtATime("json:/customer")
        public String receive(String body) {
            return "ran";
        }
    }

    @Path("/session")
    @RequestScoped
    public static class SessionOfNoPath {
        @POST
        @ExactlyOnce("demo")
        @OneAtATime("path:id")
        public String receive(String body) {
            return "ran";
        }
    }

    public interface Api {
        @POST
        @ExactlyOnce("demo")
        String receive(String body);
    }

    @Path("/fault")
    @RequestScoped
    public static class OnInterface implements Api {
        @Override
        public String receive(String body) {
            return "ran";
        }
    }

    public static class Base {
        @POST
        @ExactlyOnce("demo")
        public String receive(String body) {
            return "base";
        }
    }

    @Path("/fault")
    @RequestScoped
    public static class OnOverridden extends Base {
        @Override
        public String receive(String body) {
            return "ran";
        }
    }

    @ApplicationScoped
    @ExactlyOnce("demo")
    public static class NoResource {
        public String work() {
            return "ran";
        }
    }

    @RegisterRestClient(baseUri = "http://localhost:1")
    @RequestScoped
    @Path("/fault")
    @ExactlyOnce("demo")
    public interface RestClient {
        @POST
        String send(String body);
    }

    @Path("/fault")
    @RequestScoped
    public static class TakesFormParam {
        @POST
        @ExactlyOnce("demo")
        public String receive(@FormParam("amount") String amount) {
            return "ran";
        }
    }

    @Path("/fault")
    @RequestScoped
    public static class SuspendedResponse {
        @POST
        @ExactlyOnce("demo")
        public void receive(String body, @Suspended AsyncResponse response) {
            response.resume("ran");
        }
    }

    @Path("/fault")
    @RequestScoped
    public static class AsynchronousVoid {
        @POST
        @ExactlyOnce("demo")
        @Asynchronous
        public void receive(String body) {}
    }

    @Path("/fault")
    @RequestScoped
    public static class KeyOfNoPath {
        @POST
        @ExactlyOnce(
                value = "demo",
                key = {"path:id"})
        public String receive(String body) {
            return "ran";
        }
    }

    @Path("/fault")
    @RequestScoped
    public static class BadSourceName {
        @POST
        @ExactlyOnce("GitHub")
        public String receive(String body) {
            return "ran";
        }
    }

    /** Bound rightly; faulty by what its WAR or its application does with it. */
    @Path("/fault")
    @RequestScoped
    public static class Bound {
        @POST
        @ExactlyOnce("demo")
        public String receive(String body) {
            return "ran";
        }
    }

    @Vetoed
    @Path("/fault")
    @ExactlyOnce("demo")
    public static class NoBean {
        @POST
        public String receive(String body) {
            return "ran";
        }
    }

    @ApplicationPath("/")
    public static class Singletons extends Application {
        @Override
        @SuppressWarnings("deprecation")
        public Set<Object> getSingletons() {
            return Set.of(new Bound());
        }
    }

    @Path("/locate")
    @RequestScoped
    public static class Locator {
        @Path("/sub")
        public Bound sub() {
            return new Bound();
        }
    }

    @Path("/fault")
    public interface Shape {
        @POST
        String receive(String body);
    }

    @ExactlyOnce("demo")
    public static class BehindAnInterface implements Shape {
        @Override
        public String receive(String body) {
            return "ran";
        }
    }

    @ApplicationPath("/")
    public static class SingletonsBehindAnInterface extends Application {
        @Override
        @SuppressWarnings("deprecation")
        public Set<Object> getSingletons() {
            return Set.of(new BehindAnInterface());
        }
    }

    @Qualifier
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.FIELD})
    public @interface ByHand {}

    @ApplicationScoped
    public static class Producer {
        @Produces
        @ByHand
        @RequestScoped
        public Bound make() {
            return new Bound();
        }
    }

    @Path("/locate")
    @RequestScoped
    public static class ProducedLocator {
        @Inject
        @ByHand
        Bound bound;

        @Path("/sub")
        public Bound sub() {
            return bound;
        }
    }

    @Path("/fault")
    @RequestScoped
    public static class TwoHttpMethods {
        @GET
        @POST
        @ExactlyOnce("demo")
        public String receive(String body) {
            return "ran";
        }
    }

    public interface Contract {
        @POST
        @Path("/form")
        String form(@FormParam("amount") String amount);

        @POST
        @Path("/suspended")
        void suspended(String body, @Suspended AsyncResponse response);
    }

    @Path("/fault")
    @RequestScoped
    @ExactlyOnce("demo")
    public static class ParametersOnInterface implements Contract {
        @Override
        public String form(String amount) {
            return "ran";
        }

        @Override
        public void suspended(String body, AsyncResponse response) {
            response.resume("ran");
        }
    }

    @Qualifier
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    public @interface Ours {}

    @Path("/fault")
    @RequestScoped
    @Ours
    @ExactlyOnce("demo")
    public static class Qualified {
        @POST
        public String receive(String body) {
            return "ran";
        }
    }

    /** Carries a binding, and is neither a stereotype nor a binding itself. */
    @ExactlyOnce("demo")
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    public @interface Webhook {}

    @Path("/fault")
    @RequestScoped
    public static class ByOwnAnnotation {
        @POST
        @Path("/bound")
        @ExactlyOnce("demo")
        public String bound(String body) {
            return "ran";
        }

        @POST
        @Webhook
        public String receive(String body) {
            return "ran";
        }
    }

    @ExactlyOnce("demo")
    @InterceptorBinding
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    public @interface NotInherited {}

    @NotInherited
    public static class CarriesForItself {}

    @Path("/fault")
    @RequestScoped
    public static class BelowNotInherited extends CarriesForItself {
        @POST
        public String receive(String body) {
            return "ran";
        }
    }

    @RequestScoped
    @ExactlyOnce("demo")
    public static class PathOnInterface implements Shape {
        @Override
        public String receive(String body) {
            return "ran";
        }
    }

    /** Without a scope, so that only the discovery of all classes makes it a bean. */
    public static class Unbound {
        @POST
        public String receive(String body) {
            return "ran";
        }
    }

    @Path("/leading")
    @RequestScoped
    @ExactlyOnce("demo")
    public static class LeadsToUnbound {
        @Path("/unbound")
        public Unbound unbound() {
            return new Unbound();
        }
    }

    @Path("/leading-form")
    @RequestScoped
    public static class LeadsWithFormParam {
        @Inject
        Bound bound;

        @Path("/sub")
        public Bound sub(@FormParam("tenant") String tenant) {
            return bound;
        }
    }

    @Path("/open")
    @RequestScoped
    @ExactlyOnce("demo")
    public static class OpenLocator {
        @Inject
        Bound bound;

        @Path("/unbound")
        public Object unbound() {
            return new Unbound();
        }

        @Path("/bound")
        public Object bound() {
            return bound;
        }

        @Path("/form")
        public Object form(@FormParam("tenant") String tenant) {
            return bound;
        }
    }

    /** Without a scope. */
    public static class BoundWithoutScope {
        @POST
        @ExactlyOnce("demo")
        public String receive(String body) {
            return "ran";
        }
    }

    @Path("/locate")
    @RequestScoped
    public static class LocatesByHand {
        @Path("/sub")
        public BoundWithoutScope sub() {
            return new BoundWithoutScope();
        }
    }

    @ApplicationPath("/")
    public static class WithoutServices extends Application {
        @Override
        public Map<String, Object> getProperties() {
            return Map.of("jakarta.ws.rs.loadServices", false);
        }
    }
}
