package dev.exactlyonce.store.redis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Speaks just enough of Redis's protocol for a test to look at a server without the client under test. */
final class RespClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 5_000;

    private final Socket socket = new Socket();
    private final InputStream in;

    RespClient(String host, int port) throws IOException {
        socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    String call(String... words) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(bytes("*" + words.length + "\r\n"));
        for (String word : words) {
            byte[] argument = bytes(word);
            request.writeBytes(bytes("$" + argument.length + "\r\n"));
            request.writeBytes(argument);
            request.writeBytes(bytes("\r\n"));
        }
        socket.getOutputStream().write(request.toByteArray());
        return reply();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String reply() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '-' -> throw new IllegalStateException(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> {
                List<String> parts = new ArrayList<>();
                for (int i = Integer.parseInt(rest); i > 0; i--) {
                    parts.add(reply());
                }
                yield String.join("\n", parts);
            }
            default -> rest;
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] bulk = in.readNBytes(length);
        line();
        return new String(bulk, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            line.write(b);
        }
        in.read();
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ignored) {
            // it is gone either way
        }
    }
}
