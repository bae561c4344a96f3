/**
 * SPI of the sending side: the ports behind which events are kept and through which they leave, and the values that they
 * speak in. An implementation is handed to {@code dev.exactlyonce.sender.dispatch.SenderBuilder}.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.exactlyonce.sender.spi;

import org.jspecify.annotations.NullMarked;
