package dev.exactlyonce.sender;

/**
 * Receives what happens on the sending side. What it throws is logged, and stops nothing.
 *
 * <pre>{@code
 * new SenderBuilder(settings).listener(event -> metrics.count(event));
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SenderListener {
    SenderListener NO_OP = event -> {};

    void on(SenderEvent event);
}
