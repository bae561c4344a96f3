package dev.exactlyonce.it;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests byte for byte, as no HTTP client would send them. */
final class WireHttp {
    private static final int PATIENCE_MILLIS = 60_000;

    private static final Pattern CONTENT_LENGTH =
            Pattern.compile("^Content-Length: *([0-9]+)", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

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
     * Sends a request, one byte a character, and reads its answer.
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

    /**
     * Sends these bytes, one a character, and nothing more. The answer ends where its Content-Length says, or else with the
     * connection: the server may go on to wait for the rest of a request that it has answered.
     */
    static Answer exchange(int port, String request) {
        try (Socket socket = new Socket(InetAddress.getByName("localhost"), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return answer(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer answer(InputStream in) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        while (true) {
            String text = read.toString(StandardCharsets.ISO_8859_1);
            int end = text.indexOf("\r\n\r\n");
            Matcher length = CONTENT_LENGTH.matcher(end < 0 ? "" : text.substring(0, end));
            if (length.find() && text.length() >= end + 4 + Integer.parseInt(length.group(1))) {
                return Answer.parse(text);
            }
            byte[] more = new byte[8192];
            int count = in.read(more);
            if (count < 0) {
                return Answer.parse(text);
            }
            read.write(more, 0, count);
        }
    }
}
