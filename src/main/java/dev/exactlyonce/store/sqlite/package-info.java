/** The embedded durable store: one file, one writer, group commit. */
@NullMarked
package dev.exactlyonce.store.sqlite;

import org.jspecify.annotations.NullMarked;
