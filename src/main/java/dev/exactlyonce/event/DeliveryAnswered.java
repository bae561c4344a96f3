package dev.exactlyonce.event;

/**
 * The request was verified and is not a delivery to admit: a handshake, or an event that the source does not take. No
 * handler ran and the store was not asked.
 *
 * @param source the source's name
 * @param reason a word, such as {@code handshake} or {@code skipped}
 * @param status the HTTP status of the answer
 * @since 0.1
 */
public record DeliveryAnswered(String source, String reason, int status) implements DeliveryEvent {}
