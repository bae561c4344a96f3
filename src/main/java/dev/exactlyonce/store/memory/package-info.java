/** The store that keeps everything in this process: for tests, and for the last resort. */
@NullMarked
package dev.exactlyonce.store.memory;

import org.jspecify.annotations.NullMarked;
