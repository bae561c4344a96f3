package dev.exactlyonce.sender.spi;

import dev.exactlyonce.sender.Endpoint;
import java.util.Map;

/**
 * The port through which an attempt leaves. An implementation follows no redirect, retries nothing by itself, keeps to
 * {@link Endpoint#CONNECT_WITHIN} and {@link Endpoint#ANSWER_WITHIN}, reads at most 64 KiB of an answer, connects only to
 * addresses that it has checked after it resolved them, and is thread-safe.
 *
 * @since 0.1.0
 */
public interface Transport extends AutoCloseable {
    /**
     * One attempt. Returns also when it fails; what it throws is a bug.
     *
     * @param headers in lower case, complete but for those of the connection
     */
    TransportResult post(Endpoint endpoint, Map<String, java.util.List<String>> headers, byte[] body);

    @Override
    default void close() {}
}
