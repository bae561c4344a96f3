/**
 * Internal, subject to change: keeps the keys in Redis, through Redisson: the store of many replicas. Loaded only when it is
 * chosen.
 */
@NullMarked
package dev.exactlyonce.store.redis;

import org.jspecify.annotations.NullMarked;
