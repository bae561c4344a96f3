/** What stands between the engine and a store: what is owed, and the degraded facts. */
@NullMarked
package dev.exactlyonce.guard;

import org.jspecify.annotations.NullMarked;
