/** Decorators between the engine and a store: circuit breaker, outage reports, pending writes and failover; and the degraded facts. Internal. */
@NullMarked
package dev.exactlyonce.guard;

import org.jspecify.annotations.NullMarked;
