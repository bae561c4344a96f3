package dev.exactlyonce.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FingerprintTest {
    private static final Fingerprint A = Fingerprint.ofBody(new byte[] {1});
    private static final Fingerprint B = Fingerprint.ofBody(new byte[] {2});

    @Test
    void aFingerprintIsTheBodysSha256() {
        assertThat(Fingerprint.ofBody(new byte[0]).value())
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    @Test
    void otherBodiesContradictEachOther() {
        assertThat(A.contradicts(B)).isTrue();
        assertThat(A.contradicts(Fingerprint.ofBody(new byte[] {1}))).isFalse();
    }

    @Test
    void nothingContradictsNothing() {
        assertThat(A.contradicts(Fingerprint.NONE)).isFalse();
        assertThat(Fingerprint.NONE.contradicts(A)).isFalse();
        assertThat(Fingerprint.NONE.contradicts(Fingerprint.NONE)).isFalse();
    }
}
