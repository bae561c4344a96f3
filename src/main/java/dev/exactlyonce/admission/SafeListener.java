package dev.exactlyonce.admission;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.event.DeliveryEvent;
import java.lang.System.Logger.Level;

/** A listener that breaks nothing: what it throws is logged. */
final class SafeListener implements AdmissionListener {
    private static final System.Logger LOG = System.getLogger(SafeListener.class.getName());

    private final AdmissionListener listener;

    SafeListener(AdmissionListener listener) {
        this.listener = listener;
    }

    @Override
    public void on(DeliveryEvent event) {
        try {
            listener.on(event);
        } catch (Throwable broken) { // an Error, too, would end a delivery between its claim and its record
            SafeLog.log(
                    LOG,
                    Level.WARNING,
                    "EXON0101 a listener failed on " + event.getClass().getSimpleName(),
                    broken);
        }
    }
}
