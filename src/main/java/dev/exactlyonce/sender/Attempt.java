package dev.exactlyonce.sender;

import java.time.Instant;

/**
 * An attempt that was made, for whoever looks into a dead letter.
 *
 * @param number 1 for the first of a round; a replay begins a new one
 * @param at when it began
 * @param outcome the status, or why there was none, in a word: {@code 500}, {@code dns}, {@code no-answer}
 */
public record Attempt(int number, Instant at, String outcome) {}
