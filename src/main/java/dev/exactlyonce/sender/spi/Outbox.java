package dev.exactlyonce.sender.spi;

import dev.exactlyonce.sender.OutboxUnavailableException;

/**
 * A store that keeps everything: events, the state of endpoints, and dead letters. One row an event, in one of these states:
 *
 * <pre>
 *             claim (attempt counted, owner, lease)      Succeeded, Abandoned
 *   enqueue → WAITING ───────────────────────────→ CLAIMED ──────────────────→ DONE (key only) → purged
 *                ↑ ↑        RetryLater, or the lease ends │                       ↑ discard
 *                │ └─────────────────────────────────────┤ Exhausted             │
 *                ├──────────── replay ─────────────────── DEAD ───────────────────┘
 *                │                                         ↓ moved
 *                └──────────── restore ────────────────── MOVED (key only) → purged
 * </pre>
 *
 * An implementation guarantees: each method is one atomic step; {@code (endpoint, key)} is unique over all states; a claim
 * is proved by its owner token in every later step, and a step that finds another owner changes nothing and reports it;
 * leases are set and judged by one clock, the store's; what was acknowledged survives a crash. Thread-safe. Every method
 * throws {@link OutboxUnavailableException} when the store does not answer, and then may have happened or not.
 *
 * @since 0.1.0
 */
public interface Outbox extends EventQueue, EndpointStates, LocalDeadLetters {}
