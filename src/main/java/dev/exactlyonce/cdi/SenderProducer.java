package dev.exactlyonce.cdi;

import dev.exactlyonce.config.Settings;
import dev.exactlyonce.deploy.ExactlyOnceExtension;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.Forwarding;
import dev.exactlyonce.sender.Sender;
import dev.exactlyonce.sender.SenderControl;
import dev.exactlyonce.sender.SenderEvent;
import dev.exactlyonce.sender.WebhookSender;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** Builds the sending side where endpoints are declared, and takes it down again. */
@ApplicationScoped
public class SenderProducer {
    private static final System.Logger LOG = System.getLogger(SenderProducer.class.getName());

    private final @Nullable Settings settings;
    private final @Nullable Event<Object> events;
    private @Nullable Sender sender;

    /** For the container's proxy. */
    protected SenderProducer() {
        this.settings = null;
        this.events = null;
    }

    @Inject
    SenderProducer(ExactlyOnceExtension deployed, Event<Object> events) {
        this.settings = deployed.settings();
        this.events = events;
    }

    void start(@Observes Startup event) {
        if (there(settings).sending().isUsed()) {
            LOG.log(Level.INFO, "EXON0709 sending to {0}", sender().endpoints().keySet());
        }
    }

    private void publish(SenderEvent event) {
        there(events).fire(event);
    }

    @PreDestroy
    synchronized void stop() {
        if (sender != null) {
            sender.close();
        }
    }

    @Produces
    @Singleton
    WebhookSender webhooks() {
        return there(settings).sending().isUsed() ? sender().webhooks() : NoOpSender.WEBHOOKS;
    }

    @Produces
    @Singleton
    DeadLetters deadLetters() {
        return there(settings).sending().isUsed() ? sender().deadLetters() : NoOpSender.DEAD_LETTERS;
    }

    @Produces
    @Singleton
    SenderControl control() {
        return there(settings).sending().isUsed() ? sender() : NoOpSender.CONTROL;
    }

    @Produces
    @Singleton
    Forwarding forwarding() {
        return there(settings).sending().forwarding();
    }

    private synchronized Sender sender() {
        Sender open = sender;
        if (open == null) {
            open = SenderFactory.open(there(settings), new AmbientTransaction(), this::publish);
            sender = open;
        }
        return open;
    }

    private static <T> T there(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("a proxy has no parts");
        }
        return value;
    }
}
