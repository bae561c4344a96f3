package dev.exactlyonce.rest;

import jakarta.ws.rs.core.Response;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A handler's answer as its record keeps it, and as a duplicate gets it: the headers of an allow-list, and the body before
 * response filters and writer interceptors, which see the replayed answer as they saw the first one.
 */
@SuppressWarnings("ArrayRecordComponent") // written and read, never compared
record StoredAnswer(BodyForm form, List<ReplayedHeader> headers, byte[] body) {
    /** What the body is to JAX-RS: a text is encoded once more by the server, as the first one was. */
    enum BodyForm {
        NONE('n'),
        TEXT('t'),
        BYTES('b');

        private final char mark;

        BodyForm(char mark) {
            this.mark = mark;
        }

        private static BodyForm of(int mark) throws IOException {
            return Arrays.stream(values())
                    .filter(it -> it.mark == mark)
                    .findFirst()
                    .orElseThrow(() -> new IOException("of a later version"));
        }
    }

    /** One value of a header. */
    record ReplayedHeader(String name, String value) {}

    private static final int VERSION = 1;

    /** The length without Base64, which is what the setting counts. */
    int size() {
        return written().length;
    }

    String encode() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(written());
    }

    private byte[] written() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeByte(form.mark);
            out.writeShort(headers.size());
            for (ReplayedHeader header : headers) {
                out.writeUTF(header.name());
                out.writeUTF(header.value());
            }
            out.write(body);
        } catch (IOException tooLong) { // of a header
            throw new IllegalArgumentException(tooLong);
        }
        return bytes.toByteArray();
    }

    /** Empty for what this version cannot read: the duplicate is acknowledged then. */
    static Optional<StoredAnswer> decode(String content) {
        try (DataInputStream in = new DataInputStream(
                new ByteArrayInputStream(Base64.getUrlDecoder().decode(content)))) {
            if (in.readUnsignedByte() != VERSION) {
                return Optional.empty();
            }
            BodyForm form = BodyForm.of(in.readUnsignedByte());
            List<ReplayedHeader> headers = new ArrayList<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                headers.add(new ReplayedHeader(in.readUTF(), in.readUTF()));
            }
            return Optional.of(new StoredAnswer(form, List.copyOf(headers), in.readAllBytes()));
        } catch (IOException | IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    Response.ResponseBuilder replay(int status) {
        Response.ResponseBuilder answer = Response.status(status);
        headers.forEach(it -> answer.header(it.name(), it.value()));
        return switch (form) {
            case NONE -> answer.entity(EmptyResponses.NOTHING);
            case TEXT -> answer.entity(new String(body, StandardCharsets.UTF_8));
            case BYTES -> answer.entity(body);
        };
    }
}
