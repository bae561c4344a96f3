/** Internal: the store in the application's own database. */
@NullMarked
package dev.exactlyonce.store.jdbc;

import org.jspecify.annotations.NullMarked;
