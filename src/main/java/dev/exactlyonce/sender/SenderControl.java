package dev.exactlyonce.sender;

import java.util.Map;

/**
 * What an operator sees and does of the sending side. Injectable. Thread-safe.
 *
 * <pre>{@code
 * @Inject SenderControl control;
 *
 * if ("disabled".equals(control.endpoints().get("crm"))) {
 *     control.enable("crm");
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface SenderControl {
    /** Each endpoint's state: {@code closed}, {@code open} or {@code half-open} of its circuit, or {@code disabled}. */
    Map<String, String> endpoints();

    /** Sends to an endpoint again that had answered 410; false when it was not disabled. */
    boolean enable(String endpoint);
}
