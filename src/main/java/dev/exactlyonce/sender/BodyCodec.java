package dev.exactlyonce.sender;

import dev.exactlyonce.sender.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How a JSON body is written: what is signed is what is sent, byte for byte.
 *
 * <pre>{@code
 * Endpoint.builder("crm", url).secret(secret).codec(BodyCodec.PYTHON_SORTED).build();
 * }</pre>
 *
 * @since 0.1.0
 */
public enum BodyCodec {
    /** Compact UTF-8, members in the order of their map. */
    JSON,
    /** As Python's {@code json.dumps(…, sort_keys=True)} writes it, for receivers that serialize a body again to verify it. */
    PYTHON_SORTED;

    /**
     * @param value as {@link WebhookEvent#json} describes
     * @throws IllegalArgumentException for a NaN, an infinity, a lone surrogate in {@code JSON}, a key that is not a text, a
     *     type that is none of JSON's, and for what is nested deeper than 500
     */
    public byte[] encode(@Nullable Object value) {
        JsonWriter writer = this == JSON ? JsonWriter.compact() : JsonWriter.pythonSorted();
        return writer.write(value).getBytes(StandardCharsets.UTF_8);
    }
}
