/** Internal, subject to change: what several packages need, of the JDK alone. */
@NullMarked
package dev.exactlyonce.common;

import org.jspecify.annotations.NullMarked;
