/** The embedded database: one file, one writer, group commit. What its tables hold is their rooms' own. */
@NullMarked
package dev.exactlyonce.sqlite;

import org.jspecify.annotations.NullMarked;
