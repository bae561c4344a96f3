/** Internal: the bytes and headers of a request: signatures, JSON, which headers an application may set. */
@NullMarked
package dev.exactlyonce.sender.wire;

import org.jspecify.annotations.NullMarked;
