/** Internal, subject to change: the store that keeps all keys in this process, for tests and as a last resort. */
@NullMarked
package dev.exactlyonce.store.memory;

import org.jspecify.annotations.NullMarked;
