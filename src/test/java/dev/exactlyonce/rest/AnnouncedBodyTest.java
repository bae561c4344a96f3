package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class AnnouncedBodyTest {
    private static AnnouncedBody body(int... bytes) {
        byte[] content = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            content[i] = (byte) bytes[i];
        }
        return new AnnouncedBody(new ByteArrayInputStream(content));
    }

    @Test
    void aBodyIsReadToItsEnd() throws IOException {
        try (InputStream body = body(1, 2, 3)) {
            assertThat(body.read()).isEqualTo(1);
            assertThat(body.readNBytes(10)).containsExactly(2, 3);
            assertThat(body.read()).isEqualTo(-1);
        }
    }

    @Test
    void aBodyThatWasReadBeforeIsNoEmptyBody() {
        assertThatThrownBy(() -> body().read()).isInstanceOf(AnnouncedBody.AlreadyReadException.class);
        assertThatThrownBy(() -> body().readNBytes(5)).isInstanceOf(AnnouncedBody.AlreadyReadException.class);
    }
}
