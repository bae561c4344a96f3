/** Internal, but for its command line, which {@code doc/sending.md} documents. */
@NullMarked
package dev.exactlyonce.sender.cli;

import org.jspecify.annotations.NullMarked;
