package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.Sender;
import dev.exactlyonce.sender.WebhookSender;
import dev.exactlyonce.sender.spi.DeadLetterStore;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.sender.spi.Transport;
import java.lang.System.Logger.Level;
import java.util.Map;

/** The dispatcher with its loop, and what it sends through. Thread-safe. */
final class RunningSender implements Sender {
    private static final System.Logger LOG = System.getLogger(RunningSender.class.getName());

    private final Outbox outbox;
    private final DeadLetterStore deadLetterStore;
    private final Dispatcher dispatcher;
    private final DispatchLoop loop;
    private final WebhookSender sender;
    private final DeadLetters deadLetters;
    private final Transport transport;

    RunningSender(SenderBuilder parts) {
        this.transport = parts.transport();
        this.outbox = parts.outbox();
        this.deadLetterStore = parts.deadLetters();
        this.dispatcher = new Dispatcher(parts);
        this.sender = new OutboxSender(parts.settings, dispatcher);
        this.deadLetters = new OutboxDeadLetters(
                deadLetterStore,
                parts.settings.replayWindow(),
                () -> dispatcher.wakeUp().now());
        this.loop = new DispatchLoop(dispatcher);
    }

    @Override
    public WebhookSender webhooks() {
        return sender;
    }

    @Override
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
                closeDeadLetters();
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

    private void closeDeadLetters() {
        if (deadLetterStore != outbox) {
            deadLetterStore.close();
        }
    }

    private void closeTransport() {
        try {
            transport.close();
        } catch (Exception fault) {
            LOG.log(Level.DEBUG, "closing the transport failed", fault);
        }
    }
}
