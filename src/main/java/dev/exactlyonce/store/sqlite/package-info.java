/** The embedded durable store: the keys in one file. */
@NullMarked
package dev.exactlyonce.store.sqlite;

import org.jspecify.annotations.NullMarked;
