/** The outbox over SQL: a file that this replica embeds, or a PostgreSQL that many share. */
@NullMarked
package dev.exactlyonce.sender.sql;

import org.jspecify.annotations.NullMarked;
