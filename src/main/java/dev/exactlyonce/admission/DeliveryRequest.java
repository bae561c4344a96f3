package dev.exactlyonce.admission;

import dev.exactlyonce.common.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What the engine needs to see of a request, whatever carries it. */
public interface DeliveryRequest {
    /** HTTP method, base URI path and path templates, without regular expressions. */
    String endpoint();

    /** The HTTP method. */
    String method();

    /**
     * The query as it was sent, a character a byte, without its question mark; empty when there is none.
     *
     * @throws MalformedQueryException when the server cannot show it
     */
    String rawQuery();

    /** The length that the sender announced, in bytes; negative when it did not. */
    long announcedLength();

    /** The body's bytes exactly as received; read once. */
    InputStream body() throws IOException;

    /**
     * Every value sent under this header, case-insensitive, one a field line, in order, without the blanks and tabs around
     * it; empty when there is none.
     */
    List<String> header(String name);

    /**
     * The decoded values of a query parameter, in order.
     *
     * @throws MalformedQueryException when one of them is no percent-encoded UTF-8
     */
    List<String> query(String name);

    /** The decoded values of a path parameter. */
    List<String> path(String name);

    /**
     * What is derived from the body, such as the document that it contains. The engine's requests derive it once, for
     * everything that reads the delivery.
     *
     * @param type what is derived
     * @param derivation derives it; a pure function of the body
     */
    default <T> T derived(Class<T> type, Supplier<T> derivation) {
        return derivation.get();
    }

    /** Its verified signature, as {@link Verification.Signed#signature}; empty where nothing is signed, or not yet verified. */
    default Optional<String> signature() {
        return Optional.empty();
    }

    /**
     * The SHA-256 of the body as it is signed, in lower-case hexadecimal: of the bytes unless the signature covers another form
     * of them, so that one signature has one digest.
     */
    default String bodyDigest(byte[] body) {
        return Digests.sha256Hex(body);
    }
}
