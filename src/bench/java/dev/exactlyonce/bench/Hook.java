package dev.exactlyonce.bench;

import dev.exactlyonce.ExactlyOnce;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;

/** One webhook twice: bare, and annotated. The handler does next to nothing, so that what is around it shows. */
public final class Hook {
    private Hook() {}

    @ApplicationPath("/")
    public static class App extends Application {}

    @Path("/bare")
    @RequestScoped
    public static class Bare {
        @POST
        public String receive(String event) {
            return event.isEmpty() ? "empty" : "ok";
        }
    }

    @Path("/once")
    @RequestScoped
    public static class Once {
        @POST
        @ExactlyOnce("bench")
        public String receive(String event) {
            return event.isEmpty() ? "empty" : "ok";
        }
    }
}
