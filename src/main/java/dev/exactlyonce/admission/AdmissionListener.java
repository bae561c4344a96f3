package dev.exactlyonce.admission;

import dev.exactlyonce.event.DeliveryEvent;

/** Receives what happened to each delivery. Must not block; what it throws is logged and changes nothing. */
@FunctionalInterface
public interface AdmissionListener {
    AdmissionListener NO_OP = event -> {};

    void on(DeliveryEvent event);
}
