package dev.exactlyonce.it;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Requests byte for byte, as no HTTP client would send them. */
final class WireHttp {
    private static final int PATIENCE_MILLIS = 60_000;

    private WireHttp() {}

    /** What came back; the head holds the status line and the headers. */
    record Answer(int status, String head, String body) {
        private static Answer parse(String text) {
            int end = text.indexOf("\r\n\r\n");
            if (end < 0) {
                throw new IllegalStateException("no HTTP answer: '" + text + "'");
            }
            String head = text.substring(0, end);
            return new Answer(Integer.parseInt(head.substring(9, 12)), head, text.substring(end + 4));
        }
    }

    /**
     * Sends a request, one byte a character, and reads to the connection's end.
     *
     * @param target the request's target as it is written, with its query
     */
    static Answer send(int port, String method, String target, Map<String, String> headers, String body) {
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        request.append("Host: localhost:").append(port).append("\r\nConnection: close\r\n");
        headers.forEach(
                (name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
        if (!headers.containsKey("Content-Length")) {
            request.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        return exchange(port, request + "\r\n" + body);
    }

    /** Sends these bytes, one a character, and nothing more until the server has answered and closed. */
    static Answer exchange(int port, String request) {
        try (Socket socket = new Socket(InetAddress.getByName("localhost"), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return Answer.parse(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
