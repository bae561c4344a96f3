package dev.exactlyonce.sender;

import java.time.Instant;

/**
 * An attempt that was made, as a dead letter's history shows it.
 *
 * <pre>{@code
 * letter.attempts().forEach(it -> log(it.number() + " at " + it.at() + ": " + it.outcome()));
 * }</pre>
 *
 * @param number 1 for the first of a round; a replay begins a new round
 * @param at when it began
 * @param outcome the status, or why there was none: {@code 500}, {@code dns}, {@code no-answer}
 * @since 0.1.0
 */
public record Attempt(int number, Instant at, String outcome) {}
