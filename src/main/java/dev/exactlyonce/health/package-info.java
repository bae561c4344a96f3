/** Internal, subject to change: the readiness checks. */
@NullMarked
package dev.exactlyonce.health;

import org.jspecify.annotations.NullMarked;
