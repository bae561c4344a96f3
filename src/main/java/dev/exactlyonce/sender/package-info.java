/**
 * The sending side: events that survive a crash, are signed, retried within a budget, and dead-lettered instead of lost.
 * Usable without the receiving side.
 *
 * <p>In reading order: {@link dev.exactlyonce.sender.WebhookSender} is what an application calls, {@link
 * dev.exactlyonce.sender.Dispatcher} tells the story of an attempt, {@link dev.exactlyonce.sender.ResponseClassifier} how an answer is
 * judged, {@link dev.exactlyonce.sender.Outbox} is the port behind which events are kept, {@link
 * dev.exactlyonce.sender.Transport} the one through which they leave, {@link dev.exactlyonce.sender.DeadLetters} what
 * becomes of the rest.
 */
@NullMarked
package dev.exactlyonce.sender;

import org.jspecify.annotations.NullMarked;
