/** Where Redis is and how Redisson is set up for it: for whichever rooms keep something there. */
@NullMarked
package dev.exactlyonce.redis;

import org.jspecify.annotations.NullMarked;
