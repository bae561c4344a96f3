package dev.exactlyonce.cdi;

import dev.exactlyonce.admission.AdmissionEvent;
import dev.exactlyonce.guard.DurabilityEvent;
import jakarta.enterprise.event.Event;
import java.lang.System.Logger.Level;

/** Logs each outcome, a line an event, and fires it as a CDI event. An observer that throws is logged and changes nothing. */
final class CdiEvents {
    private static final System.Logger LOG = System.getLogger(CdiEvents.class.getName());

    private final Event<Object> events;

    CdiEvents(Event<Object> events) {
        this.events = events;
    }

    void admission(AdmissionEvent event) {
        if (event instanceof AdmissionEvent.Refused refused) {
            LOG.log(
                    Level.WARNING,
                    "EXON0510 {0}: refused, {1}",
                    refused.source(),
                    refused.refusal().why());
        } else if (event instanceof AdmissionEvent.Answered answered) {
            LOG.log(
                    Level.DEBUG,
                    "EXON0517 {0}: answered, {1}",
                    answered.source(),
                    answered.reply().why());
        } else if (event instanceof AdmissionEvent.Keyed keyed) {
            log(keyed);
        }
        fire(event);
    }

    private static void log(AdmissionEvent.Keyed event) {
        if (event instanceof AdmissionEvent.Superseded) {
            log(Level.WARNING, "EXON0504 {0} {1}: ended after its lease, another owner had taken the key", event);
        } else if (event instanceof AdmissionEvent.LeaseLost) {
            log(Level.WARNING, "EXON0513 {0} {1}: the lease was lost while its handler runs", event);
        } else if (event instanceof AdmissionEvent.OtherBody) {
            log(Level.WARNING, "EXON0505 {0} {1}: the key came again with another body", event);
        } else if (event instanceof AdmissionEvent.IdReused) {
            log(
                    Level.WARNING,
                    "EXON0590 {0} {1}: the id came again with another body; since it is not signed, both run",
                    event);
        } else if (event instanceof AdmissionEvent.Unfinished) {
            log(Level.WARNING, "EXON0506 {0} {1}: given up on, its claim stays to the lease''s end", event);
        } else if (event instanceof AdmissionEvent.Released) {
            log(Level.INFO, "EXON0507 {0} {1}: failed, released for the sender''s retry", event);
        } else {
            log(Level.DEBUG, "EXON0511 {0} {1}: {2}", event);
        }
    }

    void durability(DurabilityEvent event) {
        fire(event);
    }

    private static void log(Level level, String message, AdmissionEvent.Keyed event) {
        if (LOG.isLoggable(level)) {
            LOG.log(
                    level,
                    message,
                    event.source(),
                    event.key(),
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
