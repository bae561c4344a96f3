package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.sender.Attempt;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.SenderEvent;
import dev.exactlyonce.sender.SenderListener;
import dev.exactlyonce.sender.spi.AttemptResult;
import java.lang.System.Logger.Level;

/** Reports results to the listener and, where an operator should know, to the log. */
final class EventPublisher {
    private static final System.Logger LOG = System.getLogger(EventPublisher.class.getName());

    private final SenderListener listener;

    EventPublisher(SenderListener listener) {
        this.listener = listener;
    }

    /** After the outbox has it. */
    void written(AttemptResult result) {
        OutgoingEvent event = result.event().event();
        String endpoint = event.endpoint();
        EventKey key = event.key();
        int attempt = result.event().attempt();
        String outcome = result.made().map(Attempt::outcome).orElse("");
        if (result instanceof AttemptResult.Succeeded) {
            publish(new SenderEvent.Delivered(endpoint, key, attempt));
        } else if (result instanceof AttemptResult.Abandoned) {
            publish(new SenderEvent.Dropped(endpoint, key, outcome));
        } else if (result instanceof AttemptResult.Exhausted it) {
            LOG.log(
                    Level.WARNING,
                    "EXON0707 {0} is in the dead-letter queue after {1} attempts: {2}",
                    event,
                    String.valueOf(attempt),
                    it.error());
            publish(new SenderEvent.DeadLettered(endpoint, key, it.error()));
        } else if (result.made().isPresent()) {
            publish(new SenderEvent.Retrying(endpoint, key, attempt, outcome));
        }
    }

    void publish(SenderEvent event) {
        try {
            listener.on(event);
        } catch (Throwable fault) { // an error, too, would keep the others from being reported
            SafeLog.log(LOG, Level.WARNING, "EXON0708 a listener failed", fault);
        }
    }
}
