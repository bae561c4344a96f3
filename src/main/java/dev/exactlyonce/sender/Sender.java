package dev.exactlyonce.sender;

/**
 * A running sending side. In a CDI application it starts by itself, and its parts are injected; elsewhere open one, and
 * close it at the end.
 *
 * <pre>{@code
 * try (Sender sender = new SenderBuilder(SenderSettings.of(List.of(crm)))
 *         .outbox(SqlOutbox.sqlite(file, MachineClocks.system()))
 *         .transport(new ApacheTransport())
 *         .open()) {
 *     sender.webhooks().send("crm", WebhookEvent.json(new EventKey("order-17"), Map.of("order", 17)));
 * }
 * }</pre>
 *
 * Thread-safe.
 *
 * @since 0.1.0
 */
public interface Sender extends SenderControl, AutoCloseable {
    /** Where the application hands events over. */
    WebhookSender webhooks();

    /** The events that were given up. */
    DeadLetters deadLetters();

    /**
     * Ends the running attempts, gives the other claims back, and closes the outbox and the transport. Waits for at most 25
     * seconds.
     */
    @Override
    void close();
}
