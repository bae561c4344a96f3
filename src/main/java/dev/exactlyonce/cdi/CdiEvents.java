package dev.exactlyonce.cdi;

import dev.exactlyonce.event.DeliveryAnswered;
import dev.exactlyonce.event.DeliveryEvent;
import dev.exactlyonce.event.DeliveryRefused;
import dev.exactlyonce.event.DeliveryReleased;
import dev.exactlyonce.event.DeliverySuperseded;
import dev.exactlyonce.event.DeliveryUnfinished;
import dev.exactlyonce.event.DurabilityEvent;
import dev.exactlyonce.event.KeyReusedWithOtherBody;
import dev.exactlyonce.event.KeyedDeliveryEvent;
import dev.exactlyonce.event.LeaseLost;
import dev.exactlyonce.event.UnsignedIdReused;
import jakarta.enterprise.event.Event;
import java.lang.System.Logger.Level;

/** Logs each outcome, a line an event, and fires it as a CDI event. An observer that throws is logged and changes nothing. */
final class CdiEvents {
    private static final System.Logger LOG = System.getLogger(CdiEvents.class.getName());

    private final Event<Object> events;

    CdiEvents(Event<Object> events) {
        this.events = events;
    }

    void admission(DeliveryEvent event) {
        if (event instanceof DeliveryRefused refused) {
            LOG.log(
                    Level.WARNING,
                    "EXON0510 {0}: refused, {1}: {2}",
                    refused.source(),
                    refused.reason(),
                    refused.detail());
        } else if (event instanceof DeliveryAnswered answered) {
            LOG.log(Level.DEBUG, "EXON0517 {0}: answered, {1}", answered.source(), answered.reason());
        } else if (event instanceof KeyedDeliveryEvent keyed) {
            log(keyed);
        }
        fire(event);
    }

    private static void log(KeyedDeliveryEvent event) {
        if (event instanceof DeliverySuperseded) {
            log(Level.WARNING, "EXON0504 {0} {1}: ended after its lease, another owner had taken the key", event);
        } else if (event instanceof LeaseLost) {
            log(Level.WARNING, "EXON0513 {0} {1}: the lease was lost while its handler runs", event);
        } else if (event instanceof KeyReusedWithOtherBody) {
            log(Level.WARNING, "EXON0505 {0} {1}: the key came again with another body", event);
        } else if (event instanceof UnsignedIdReused) {
            log(
                    Level.WARNING,
                    "EXON0590 {0} {1}: the id came again with another body; since it is not signed, both run",
                    event);
        } else if (event instanceof DeliveryUnfinished) {
            log(Level.WARNING, "EXON0506 {0} {1}: cancelled or timed out, the claim stays until the lease ends", event);
        } else if (event instanceof DeliveryReleased) {
            log(Level.INFO, "EXON0507 {0} {1}: failed, released for the sender''s retry", event);
        } else {
            log(Level.DEBUG, "EXON0511 {0} {1}: {2}", event);
        }
    }

    void durability(DurabilityEvent event) {
        fire(event);
    }

    private static void log(Level level, String message, KeyedDeliveryEvent event) {
        if (LOG.isLoggable(level)) {
            LOG.log(
                    level,
                    message,
                    event.source(),
                    event.keyDigest(),
                    event.getClass().getSimpleName());
        }
    }

    private void fire(Object event) {
        try {
            events.fire(event);
        } catch (Throwable observer) { // an Error, too, would turn a delivery's success into a failure
            LOG.log(
                    Level.WARNING,
                    "EXON0508 an observer failed on " + event.getClass().getSimpleName(),
                    observer);
        }
    }
}
