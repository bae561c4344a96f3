package dev.exactlyonce.sender;

import java.lang.System.Logger.Level;
import java.util.Map;

/**
 * The sending side, running: in a CDI application it is there by itself; elsewhere, open one and close it at the end.
 * Thread-safe.
 */
public final class Sender implements SenderControl, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Sender.class.getName());

    private final Outbox outbox;
    private final Dispatcher dispatcher;
    private final DispatchLoop loop;
    private final WebhookSender sender;
    private final DeadLetters deadLetters;
    private final Dispatcher.DispatcherParts parts;

    private Sender(SenderSettings settings, Dispatcher.DispatcherParts parts) {
        this.parts = parts;
        this.outbox = parts.outbox();
        this.dispatcher = new Dispatcher(settings, parts);
        this.sender = new OutboxSender(settings, dispatcher);
        this.deadLetters = new OutboxDeadLetters(
                outbox, settings.replayWindow(), () -> dispatcher.wakeUp().now());
        this.loop = new DispatchLoop(dispatcher);
    }

    /** Begins to send. Closing it closes the parts, too. */
    public static Sender open(SenderSettings settings, Dispatcher.DispatcherParts parts) {
        return new Sender(settings, parts);
    }

    public WebhookSender webhooks() {
        return sender;
    }

    public DeadLetters deadLetters() {
        return deadLetters;
    }

    @Override
    public Map<String, String> endpoints() {
        return dispatcher.states();
    }

    @Override
    public boolean enable(String endpoint) {
        return dispatcher.enable(endpoint);
    }

    @Override
    public void close() {
        try (outbox) {
            try {
                closeLoop();
            } finally {
                closeTransport();
            }
        }
    }

    private void closeLoop() {
        try {
            loop.close();
        } finally {
            dispatcher.close();
        }
    }

    private void closeTransport() {
        try {
            parts.transport().close();
        } catch (Exception fault) {
            LOG.log(Level.DEBUG, "closing the transport failed", fault);
        }
    }
}
