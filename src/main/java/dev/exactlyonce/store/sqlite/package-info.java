/** Internal, subject to change: the embedded durable store, which keeps the keys in one file. */
@NullMarked
package dev.exactlyonce.store.sqlite;

import org.jspecify.annotations.NullMarked;
