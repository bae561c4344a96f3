/** Internal: decorators between the engine and a store (circuit breaker, outage reports, pending writes, failover), and the degraded facts. */
@NullMarked
package dev.exactlyonce.guard;

import org.jspecify.annotations.NullMarked;
