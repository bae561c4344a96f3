/** The adapters: interceptor, producers, and the implementations of the injectable interfaces. Sees everything; nothing sees it. */
@NullMarked
package dev.exactlyonce.cdi;

import org.jspecify.annotations.NullMarked;
