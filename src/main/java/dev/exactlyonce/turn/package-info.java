/**
 * Internal, subject to change: the turn lock. {@link dev.exactlyonce.turn.TurnLocks} is the engine, {@link
 * dev.exactlyonce.turn.TurnStore} the port of its backends.
 */
@NullMarked
package dev.exactlyonce.turn;

import org.jspecify.annotations.NullMarked;
