/** Verification schemes: a request's bytes in, a value out. Knows the engine's ports and the JDK's own cryptography. */
@NullMarked
package dev.exactlyonce.signature;

import org.jspecify.annotations.NullMarked;
