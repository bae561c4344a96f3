package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.SenderEvent;
import dev.exactlyonce.sender.spi.EndpointStates;
import java.lang.System.Logger.Level;
import java.util.Map;

/** The disabled endpoints as this replica last read them. Thread-safe. */
final class DisabledEndpoints {
    private static final System.Logger LOG = System.getLogger(DisabledEndpoints.class.getName());

    private final EndpointStates states;
    private final EventPublisher publisher;
    private volatile Map<String, String> reasons = Map.of();

    DisabledEndpoints(EndpointStates states, EventPublisher publisher) {
        this.states = states;
        this.publisher = publisher;
    }

    /** One after the other, so that an older answer does not replace a newer one. */
    synchronized void refresh() {
        reasons = states.disabled();
    }

    boolean contains(String endpoint) {
        return reasons.containsKey(endpoint);
    }

    /** After a 410. */
    void disable(String endpoint) {
        try {
            states.disable(endpoint, "410");
            refresh();
        } catch (OutboxUnavailableException away) { // the attempt's result must still be written
            LOG.log(Level.WARNING, "EXON0731 endpoint " + endpoint + " answered 410 and could not be disabled", away);
            return;
        }
        LOG.log(Level.ERROR, "EXON0706 endpoint {0} answered 410: nothing is sent there until it is enabled", endpoint);
        publisher.publish(new SenderEvent.Disabled(endpoint));
    }

    /** False when it was not disabled. */
    boolean enable(String endpoint) {
        boolean wasDisabled = states.enable(endpoint);
        refresh();
        return wasDisabled;
    }
}
