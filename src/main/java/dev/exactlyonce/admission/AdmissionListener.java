package dev.exactlyonce.admission;

/** Hears what happened to each delivery. Must not block; what it throws is the implementer's to log, and changes nothing. */
@FunctionalInterface
public interface AdmissionListener {
    AdmissionListener NO_OP = event -> {};

    void on(AdmissionEvent event);
}
