/** Internal, subject to change: a source's settings, and the expressions that find a delivery's idempotency key. */
@NullMarked
package dev.exactlyonce.source;

import org.jspecify.annotations.NullMarked;
