package dev.exactlyonce.event;

/**
 * What happened to a delivery. Observe it to count or to audit every outcome.
 *
 * <p>Fired on the thread on which it happens, before the sender is answered, unless the event says otherwise. Not
 * guaranteed: that each delivery has an event for its end, as a process may end before it, and that events of different
 * threads arrive in the order in which they happened.
 *
 * @since 0.1
 */
public sealed interface DeliveryEvent permits DeliveryRefused, DeliveryAnswered, KeyedDeliveryEvent {
    /** The source's name. */
    String source();
}
