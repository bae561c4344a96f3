/**
 * The sending side: events that survive a crash, are signed, retried within a budget, and dead-lettered instead of lost.
 * Usable without the receiving side. Its types are API.
 *
 * <p>In reading order: {@link dev.exactlyonce.sender.WebhookSender} is what an application calls, with a {@link
 * dev.exactlyonce.sender.WebhookEvent} for an {@link dev.exactlyonce.sender.Endpoint}; {@link
 * dev.exactlyonce.sender.DeadLetters} holds the events that were given up, {@link dev.exactlyonce.sender.SenderEvent}
 * reports every outcome, and {@link dev.exactlyonce.sender.SenderControl} is for operators.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.exactlyonce.sender;

import org.jspecify.annotations.NullMarked;
