package dev.exactlyonce.rest;

import jakarta.enterprise.context.ApplicationScoped;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Warns of senders whose {@code Content-Encoding} names no content coding, once for each source. Thread-safe. */
@ApplicationScoped
public class UnregisteredCodings {
    private static final System.Logger LOG = System.getLogger(UnregisteredCodings.class.getName());

    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** @param source a declared one */
    void noticed(String source) {
        if (warned.add(source)) {
            LOG.log(
                    Level.WARNING,
                    "EXON0440 {0}: a delivery has a Content-Encoding that is not a registered content coding; its body is"
                            + " taken as it was sent, and so is that of every later one",
                    source);
        }
    }
}
