package dev.exactlyonce.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One keep-alive connection that reads of an answer no more than it has to. One thread's own. */
final class Connection implements AutoCloseable {
    private static final byte[] STATUS = ascii("HTTP/1.1 ");
    private static final byte[] LENGTH = ascii("\r\ncontent-length: ");
    private static final byte[] REPLAYED = ascii("\r\nidempotent-replayed: true");
    private static final byte[] END = ascii("\r\n\r\n");
    private static final int TIMEOUT_MILLIS = 30_000;

    /** @param replayed whether the answer says that the delivery was processed before */
    record Answer(int status, boolean replayed) {}

    private final byte[] buffer = new byte[8192];
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Connection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    Answer send(byte[] request) throws IOException {
        out.write(request);
        int filled = 0;
        int head = -1;
        while (head < 0) {
            filled = read(filled);
            head = find(END, filled);
        }
        int length = find(LENGTH, head);
        if (length < 0 || find(STATUS, head) != 0) {
            throw new IOException("no answer with a length: " + new String(buffer, 0, head, StandardCharsets.US_ASCII));
        }
        int end = head + END.length + number(length + LENGTH.length);
        while (filled < end) {
            filled = read(filled);
        }
        return new Answer(number(STATUS.length), find(REPLAYED, head) >= 0);
    }

    private int read(int filled) throws IOException {
        int count = in.read(buffer, filled, buffer.length - filled);
        if (count <= 0) {
            throw new EOFException("the connection ended within an answer");
        }
        return filled + count;
    }

    /** Where these bytes begin, in any case; negative when they are not there. */
    private int find(byte[] wanted, int until) {
        for (int at = 0; at + wanted.length <= until; at++) {
            int same = 0;
            while (same < wanted.length && isSame(buffer[at + same], wanted[same])) {
                same++;
            }
            if (same == wanted.length) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isSame(byte read, byte wanted) {
        return read == wanted || (read >= 'A' && read <= 'Z' && read + ('a' - 'A') == wanted);
    }

    private int number(int from) {
        int number = 0;
        for (int at = from; buffer[at] >= '0' && buffer[at] <= '9'; at++) {
            number = number * 10 + buffer[at] - '0';
        }
        return number;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
