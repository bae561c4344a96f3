/**
 * SPI: what a store of idempotency keys implements, and the values that it is called with.
 *
 * <p>{@link dev.exactlyonce.spi.IdempotencyStore} draws the state machine and lists what an implementation must
 * guarantee. Types in this package change only with a new major version.
 */
@NullMarked
package dev.exactlyonce.spi;

import org.jspecify.annotations.NullMarked;
