package dev.exactlyonce.rest;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A body whose length was announced, and which must therefore have a first byte: without one, it was read before.
 */
final class AnnouncedBody extends FilterInputStream {
    static final class AlreadyReadException extends IOException {
        private static final long serialVersionUID = 1L;

        AlreadyReadException() {
            super("the body was read before");
        }
    }

    private boolean begun;

    AnnouncedBody(InputStream body) {
        super(body);
    }

    @Override
    public int read() throws IOException {
        return begun(super.read());
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        return length == 0 ? read : begun(read);
    }

    private int begun(int read) throws IOException {
        if (read < 0 && !begun) {
            throw new AlreadyReadException();
        }
        begun = true;
        return read;
    }
}
