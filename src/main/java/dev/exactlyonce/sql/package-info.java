/** Internal: what the store and the outbox share over SQL: sessions, transactions, dialects and the schema's scripts. */
@NullMarked
package dev.exactlyonce.sql;

import org.jspecify.annotations.NullMarked;
