/**
 * Exactly Once makes a webhook run once.
 *
 * <p>The tour, in reading order:
 *
 * <ol>
 *   <li>{@link dev.exactlyonce.ExactlyOnce}: what a user writes on a JAX-RS resource, and what it promises.
 *   <li>{@code admission.AdmissionEngine}: the whole story, {@code prepare} and {@code admit}, top to bottom.
 *   <li>{@code spi.IdempotencyStore}: the state machine that every store keeps.
 *   <li>{@code store.sqlite}: one such store, in a file that {@code sqlite} writes: one writer, many callers in a commit.
 *   <li>{@code guard}: what happens when the store is away.
 *   <li>{@code rest} and {@code cdi}: how a request becomes a delivery and a decision becomes an answer.
 *   <li>{@code deploy} and {@code config}: what stops a deployment, and why.
 *   <li>{@code sender}: the sending side, a house of its own; {@code sender.Dispatcher} tells its story.
 * </ol>
 */
@NullMarked
package dev.exactlyonce;

import org.jspecify.annotations.NullMarked;
