package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.SourcePolicy.Duplicates;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.SettableClock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link AdmissionEngine#prepare}: body, signature, key, in this order and without the store. */
class PreparationTest {
    private static final int CAP = 8;

    private final SettableClock time = new SettableClock();
    private final SwitchableStore store = new SwitchableStore(new MemoryStore(10, time, until -> {}));
    private final Replica replica = new Replica(store, time);
    private final List<String> steps = new ArrayList<>();
    private boolean signed = true;
    private Verification headers = Verification.VALID;
    private KeyResolver.Resolution resolution = new KeyResolver.Resolution.KeyParts(List.of("1"));

    private Preparation prepare(DeliveryRequest request) throws IOException {
        store.set(SwitchableStore.Mode.FAILS_BEFORE);
        SourcePolicy policy = new SourcePolicy(
                "billing",
                (it, body) -> {
                    steps.add("key of " + new String(body, StandardCharsets.UTF_8));
                    return resolution;
                },
                new DeliveryVerifier() {
                    @Override
                    public Verification verifyHeaders(DeliveryRequest it) {
                        return headers;
                    }

                    @Override
                    public Verification verify(DeliveryRequest it, byte[] body) {
                        steps.add("signature of " + new String(body, StandardCharsets.UTF_8));
                        return signed ? Verification.VALID : Verification.refused("no signature matches");
                    }
                },
                Duration.ofMinutes(1),
                Duration.ofHours(1),
                CAP,
                FingerprintBy.BODY,
                RecordOn.SUCCESS,
                OnOutage.REJECT,
                Duplicates.ACK);
        return replica.engine.prepare(request, policy);
    }

    /** A body without an end. */
    private static final class Endless extends InputStream {
        int read;

        @Override
        public int read() {
            read++;
            return 'x';
        }

        @Override
        public int read(byte[] into, int from, int length) {
            read += length;
            return length;
        }
    }

    @Test
    void aBodyWithinTheCapIsVerifiedThenKeyedThenHandedOn() throws Exception {
        var ready = (Preparation.Ready)
                prepare(new SentRequest().withBody("12345678").announcing(8));
        assertThat(steps).containsExactly("signature of 12345678", "key of 12345678");
        assertThat(ready.body()).asString().isEqualTo("12345678");
        assertThat(ready.delivery().key()).isEqualTo(DeliveryKey.of("billing", "POST/app/hooks", List.of("1")));
        assertThat(ready.delivery().fingerprint())
                .isEqualTo(Fingerprint.ofBody("12345678".getBytes(StandardCharsets.UTF_8)));
        assertThat(replica.facts.current()).isEmpty();
    }

    @Test
    void anAnnouncedBodyOverTheCapIsNotReadAtAll() throws Exception {
        Endless body = new Endless();
        assertThat(prepare(new SentRequest().withBody(body).announcing(CAP + 1)))
                .isEqualTo(new Preparation.TooLarge(CAP));
        assertThat(body.read).isZero();
        assertThat(steps).isEmpty();
    }

    @Test
    void anUnannouncedBodyIsReadOneByteOverTheCapAndNoFurther() throws Exception {
        Endless body = new Endless();
        assertThat(prepare(new SentRequest().withBody(body))).isEqualTo(new Preparation.TooLarge(CAP));
        assertThat(body.read).isEqualTo(CAP + 1);
        assertThat(steps).isEmpty();
    }

    @Test
    void aBodyLongerThanItWasAnnouncedIsTooLargeAllTheSame() throws Exception {
        assertThat(prepare(new SentRequest().withBody("123456789").announcing(1)))
                .isEqualTo(new Preparation.TooLarge(CAP));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4, 5, 6, 8, -1})
    void aBodyIsReadWholeWhateverWasAnnounced(long announced) throws Exception {
        prepare(new SentRequest().withBody("12345").announcing(announced));
        assertThat(steps).containsExactly("signature of 12345", "key of 12345");
    }

    @Test
    void aWrongSignatureIsToldBeforeAnybodyLooksForAKey() throws Exception {
        signed = false;
        resolution = new KeyResolver.Resolution.NoKey("no key");
        assertThat(prepare(new SentRequest().withBody("abc")))
                .isEqualTo(new Preparation.Unverified("no signature matches"));
        assertThat(steps).containsExactly("signature of abc");
    }

    @Test
    void nothingIsReadOfABodyWhoseHeadersAreRefused() throws Exception {
        headers = Verification.refused("the signature is missing or malformed");
        Endless body = new Endless();
        assertThat(prepare(new SentRequest().withBody(body)))
                .isEqualTo(new Preparation.Unverified("the signature is missing or malformed"));
        assertThat(body.read).isZero();
        assertThat(steps).isEmpty();
        assertThat(prepare(new SentRequest().withBody(body).announcing(CAP + 1)))
                .isEqualTo(new Preparation.TooLarge(CAP));
    }

    @Test
    void aDeliveryWithoutAKeyIsToldWhy() throws Exception {
        resolution = new KeyResolver.Resolution.NoKey("no key");
        assertThat(prepare(new SentRequest())).isEqualTo(new Preparation.Unkeyed("no key"));
        assertThat(steps).containsExactly("signature of ", "key of ");
    }

    @Test
    void aBodyThatCannotBeReadIsTheCallersToAnswer() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("reset");
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                throw new IOException("reset");
            }
        };
        assertThatThrownBy(() -> prepare(new SentRequest().withBody(broken))).isInstanceOf(IOException.class);
        assertThat(steps).isEmpty();
    }
}
