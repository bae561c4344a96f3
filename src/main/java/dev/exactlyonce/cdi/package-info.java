/**
 * Internal, subject to change: interceptor, producers, and the implementations of the injectable interfaces. Depends on every
 * other package; no package depends on it.
 */
@NullMarked
package dev.exactlyonce.cdi;

import org.jspecify.annotations.NullMarked;
