/** Internal: where Redis is, how Redisson is set up and connected, and what its failures are called. */
@NullMarked
package dev.exactlyonce.redis;

import org.jspecify.annotations.NullMarked;
