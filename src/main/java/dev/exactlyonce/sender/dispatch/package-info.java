/**
 * Internal: claims due events, attempts them, and writes the results. {@code Dispatcher} is to be read first; {@code
 * AttemptExecutor} decides about one attempt, {@code ResponseClassifier} about one response. {@link
 * dev.exactlyonce.sender.dispatch.SenderBuilder} starts it all where there is no CDI.
 */
@NullMarked
package dev.exactlyonce.sender.dispatch;

import org.jspecify.annotations.NullMarked;
