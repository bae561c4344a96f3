/**
 * Internal: dead letters in a stream of Redis, for replicas that each have an outbox file of their own: any of them lists and replays
 * all. Loaded only where Redis is the chosen store.
 */
@NullMarked
package dev.exactlyonce.sender.redis;

import org.jspecify.annotations.NullMarked;
