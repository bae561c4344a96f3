package dev.exactlyonce;

/**
 * When a delivery's work is done, and when its sender is answered.
 *
 * <pre>
 * &#64;POST
 * &#64;ExactlyOnce(value = "billing", mode = Mode.INBOX)
 * public void receive(byte[] body) {} // stored and answered 202; a method with &#64;HandlesWebhook does the work
 * </pre>
 *
 * <p>A source's mode is {@code exactlyonce.source.<name>.mode}, in lower case; {@link #INLINE} where nothing is set. A mode
 * that this version does not have stops the deployment.
 *
 * @since 0.1.0
 */
public enum Mode {
    /** For {@link ExactlyOnce#mode()}: the mode that the source's setting chooses. */
    SOURCE,
    /** The work is done within the request, and its result is the answer. */
    INLINE,
    /** The delivery is stored, and answered 202; its handlers run afterwards. */
    INBOX,
    /**
     * The work is done within the request, and the record is written in the transaction of the work, on the DataSource of {@code
     * exactlyonce.jdbc.data-source}: its commit makes both, its rollback undoes both. Needs {@code exactlyonce.store=jdbc}.
     * Effects elsewhere, on another DataSource too, are not undone and stay at-least-once. Without the database a delivery is
     * answered 503.
     */
    TRANSACTIONAL
}
