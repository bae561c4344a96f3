package dev.exactlyonce.it;

import dev.exactlyonce.ExactlyOnce;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** A session bean that the container leaves without a transaction. */
@Path("/own")
@Stateless
@TransactionManagement(TransactionManagementType.BEAN)
public class SessionBeanWithOwnTransactions {
    @POST
    @ExactlyOnce("demo")
    public String receive(String body) {
        return "ran";
    }
}
