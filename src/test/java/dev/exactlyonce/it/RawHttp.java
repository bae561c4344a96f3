package dev.exactlyonce.it;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Sends headers with blanks around their values, which the JDK's client takes away. */
final class RawHttp {
    private static final int PATIENCE_MILLIS = 60_000;

    private RawHttp() {}

    /**
     * The whole answer, from its status line on.
     *
     * @param headers what stands behind the colon of each
     */
    static String post(URI address, Map<String, String> headers, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String path = address.getRawPath() + (address.getRawQuery() == null ? "" : "?" + address.getRawQuery());
        StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: " + address.getAuthority()
                + "\r\nConnection: close\r\nContent-Length: " + bytes.length + " \t\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(':').append(value).append("\r\n"));
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write((head + "\r\n").getBytes(StandardCharsets.UTF_8));
            out.write(bytes);
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
