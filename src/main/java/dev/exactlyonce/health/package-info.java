/** The readiness check. */
@NullMarked
package dev.exactlyonce.health;

import org.jspecify.annotations.NullMarked;
