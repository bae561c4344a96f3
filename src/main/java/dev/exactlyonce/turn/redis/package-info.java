/** Internal, subject to change: turns in a Redis that replicas share. */
@NullMarked
package dev.exactlyonce.turn.redis;

import org.jspecify.annotations.NullMarked;
