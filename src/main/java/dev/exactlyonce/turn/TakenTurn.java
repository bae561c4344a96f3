package dev.exactlyonce.turn;

/**
 * A session that a request has taken.
 *
 * @param fence the fencing token of the turn
 */
public record TakenTurn(TurnRequest request, long fence) {}
