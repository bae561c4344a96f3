package dev.exactlyonce.rest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Collects bytes up to a limit, so that an answer that is too large is not built up in memory first. */
final class LimitedBytes extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int most;

    LimitedBytes(int most) {
        this.most = most;
    }

    @Override
    public void write(int next) throws IOException {
        require(1);
        bytes.write(next);
    }

    @Override
    public void write(byte[] some, int from, int length) throws IOException {
        require(length);
        bytes.write(some, from, length);
    }

    private void require(int length) throws IOException {
        if (length > most - bytes.size()) {
            throw new IOException("larger than " + most + " bytes");
        }
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
