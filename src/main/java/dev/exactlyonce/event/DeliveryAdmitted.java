package dev.exactlyonce.event;

/**
 * The claim was granted and the handler is about to run. A delivery whose body must be new has two claims, and an event
 * for each of them. Not guaranteed: that the handler runs, as the second claim may be refused; its key is then released.
 *
 * @param source the source's name
 * @param key the idempotency key in full
 * @param bestEffort whether the store could not be asked ({@code on-outage=admit}): a copy may run on another replica
 * @since 0.1
 */
public record DeliveryAdmitted(String source, String key, boolean bestEffort) implements KeyedDeliveryEvent {}
