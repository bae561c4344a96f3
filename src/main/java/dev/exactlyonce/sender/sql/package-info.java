/** Internal: the outbox over SQL, in a file of this replica or in a PostgreSQL that many share. */
@NullMarked
package dev.exactlyonce.sender.sql;

import org.jspecify.annotations.NullMarked;
