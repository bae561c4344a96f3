package dev.exactlyonce.it;

import dev.exactlyonce.ExactlyOnce;
import jakarta.ejb.Stateless;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** A session bean, which the container wraps in a transaction before any interceptor; a top-level class, as they must be. */
@Path("/fault")
@Stateless
public class FaultySessionBean {
    @POST
    @ExactlyOnce("demo")
    public String receive(String body) {
        return "ran";
    }
}
