package dev.exactlyonce.sender;

/** Hears what the sending side tells. */
@FunctionalInterface
public interface SenderListener {
    SenderListener NO_OP = event -> {};

    void on(SenderEvent event);
}
