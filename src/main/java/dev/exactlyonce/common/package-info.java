/** What several packages need, of the JDK alone. Internal. */
@NullMarked
package dev.exactlyonce.common;

import org.jspecify.annotations.NullMarked;
