/**
 * Exactly Once makes a webhook run once.
 *
 * <p>API are this package, {@code event}, and the types of {@code sender}; SPI are {@code spi} and {@code sender.spi}. Every
 * other package is internal and may change in any version.
 *
 * <p>In reading order:
 *
 * <ol>
 *   <li>{@link dev.exactlyonce.ExactlyOnce}: the annotation of a JAX-RS resource, and what it guarantees.
 *   <li>{@code admission.AdmissionEngine}: how a delivery is admitted, {@code prepare} and {@code admit}, top to bottom.
 *   <li>{@code spi.IdempotencyStore}: the state machine that every store keeps.
 *   <li>{@code store.sqlite}: one such store; {@code sqlite} writes its file: one writer, many callers in a commit.
 *   <li>{@code guard}: what happens when the store is unavailable.
 *   <li>{@code rest} and {@code cdi}: how a request becomes a delivery and a decision becomes an answer.
 *   <li>{@code deploy} and {@code config}: what stops a deployment, and why.
 *   <li>{@code sender}: the sending side, independent of all of these.
 * </ol>
 */
@NullMarked
package dev.exactlyonce;

import org.jspecify.annotations.NullMarked;
