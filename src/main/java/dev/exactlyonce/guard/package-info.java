/** Internal: what is between the engine and a store: circuit breaker, pending writes, failover, and the degraded facts. */
@NullMarked
package dev.exactlyonce.guard;

import org.jspecify.annotations.NullMarked;
