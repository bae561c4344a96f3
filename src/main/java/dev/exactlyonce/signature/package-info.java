/**
 * Internal, subject to change: verification schemes, from a request's bytes to a result. Depends on the engine's ports and the
 * JDK's cryptography.
 */
@NullMarked
package dev.exactlyonce.signature;

import org.jspecify.annotations.NullMarked;
