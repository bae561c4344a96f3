/** The circuit breaker of an endpoint, by Failsafe. Loaded where endpoints are declared, and nowhere else. */
@NullMarked
package dev.exactlyonce.sender.breaker;

import org.jspecify.annotations.NullMarked;
