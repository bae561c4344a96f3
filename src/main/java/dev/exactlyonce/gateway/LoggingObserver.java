package dev.exactlyonce.gateway;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.lang.System.Logger.Level;

/** Shows that a webhook arrived. Replace it with an observer that does something with it. */
@ApplicationScoped
public class LoggingObserver {
    private static final System.Logger LOG = System.getLogger(LoggingObserver.class.getName());

    void log(@Observes WebhookReceived event) {
        LOG.log(
                Level.INFO,
                "EXON0601 webhook from {0}: {1} bytes",
                event.source(),
                Integer.toString(event.body().length));
    }
}
