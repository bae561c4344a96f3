/** What is decided once, at deployment: the bindings, and every fault that must stop it. */
@NullMarked
package dev.exactlyonce.deploy;

import org.jspecify.annotations.NullMarked;
