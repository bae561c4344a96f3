/**
 * Internal, subject to change: the embedded database: one file, one writer, group commit. The packages that use it define the
 * tables.
 */
@NullMarked
package dev.exactlyonce.sqlite;

import org.jspecify.annotations.NullMarked;
