/** Internal, subject to change: what is decided once, at deployment: the bindings, and every fault that stops it. */
@NullMarked
package dev.exactlyonce.deploy;

import org.jspecify.annotations.NullMarked;
