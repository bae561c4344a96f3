package dev.exactlyonce.admission;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads the body of a request. */
final class RequestBody {
    private RequestBody() {}

    /**
     * The whole body, or as much of it as this. What was announced is tried first and not relied on: without it, the
     * stream clears a buffer of 8 KiB for each small delivery.
     */
    static byte[] read(DeliveryRequest request, int most) throws IOException {
        InputStream body = request.body();
        long announced = request.announcedLength();
        if (announced < 0 || announced >= most) {
            return body.readNBytes(most);
        }
        byte[] first = body.readNBytes((int) announced);
        int next = body.read();
        return next < 0 ? first : joined(first, (byte) next, body.readNBytes(most - first.length - 1));
    }

    private static byte[] joined(byte[] first, byte next, byte[] rest) {
        byte[] all = Arrays.copyOf(first, first.length + 1 + rest.length);
        all[first.length] = next;
        System.arraycopy(rest, 0, all, first.length + 1, rest.length);
        return all;
    }
}
