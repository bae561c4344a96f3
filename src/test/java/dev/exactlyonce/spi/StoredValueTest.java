package dev.exactlyonce.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.spi.StoredValue.KeyState;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredValueTest {
    private final Claim claim = new Claim(
            DeliveryKey.of("github", "POST /hooks", List.of("k")),
            "token",
            Fingerprint.ofBody(new byte[] {1}),
            Duration.ofSeconds(30));

    @Test
    void aClaimIsWrittenInTheLayoutOfVersionOne() {
        assertThat(StoredValue.inFlight(claim).encode())
                .isEqualTo("1|in-flight|token|" + claim.fingerprint().value() + "|");
    }

    @Test
    void aRecordIsWrittenInTheLayoutOfVersionOne() {
        assertThat(StoredValue.recorded(claim, RecordedAnswer.of(202)).encode())
                .isEqualTo("1|recorded|token|" + claim.fingerprint().value() + "|202");
    }

    @Test
    void aClaimIsReadBackAsItWasWritten() {
        StoredValue value = StoredValue.inFlight(claim);

        assertThat(StoredValue.decode(value.encode())).isEqualTo(value);
        assertThat(value.isOwnedBy(claim)).isTrue();
        assertThat(value.isRecorded()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 200, 404, 599})
    void aRecordIsReadBackAsItWasWritten(int status) {
        StoredValue value = StoredValue.recorded(claim, RecordedAnswer.of(status));

        assertThat(StoredValue.decode(value.encode())).isEqualTo(value);
        assertThat(value.isOwnedBy(claim)).isTrue();
        assertThat(value.isRecorded()).isTrue();
    }

    @Test
    void anAnswerFollowsTheStatusAndIsReadBackAsItWasWritten() {
        StoredValue value = StoredValue.recorded(claim, new RecordedAnswer(201, "AW4;|AA-_"));

        assertThat(value.encode())
                .isEqualTo("1|recorded|token|" + claim.fingerprint().value() + "|201;AW4;|AA-_")
                .startsWith(StoredValue.startOfRecord(claim));
        assertThat(StoredValue.decode(value.encode())).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\u00e9", "a b", "a\nb", "\u0000"})
    void anAnswerThatNobodyCanHaveWrittenLeavesATombstoneWithItsStatus(String content) {
        StoredValue value = StoredValue.decode("1|recorded|token|-|404;" + content);

        assertThat(value.isRecorded()).isTrue();
        assertThat(value.answer()).isEqualTo(RecordedAnswer.of(404));
    }

    @Test
    void anotherClaimOfTheSameKeyDoesNotOwnIt() {
        Claim other = Claim.fresh(claim.key(), claim.fingerprint(), claim.lease());

        assertThat(StoredValue.inFlight(claim).isOwnedBy(other)).isFalse();
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(
            strings = {
                "2|in-flight|token|-|",
                "2|recorded|token|-|200",
                "2|",
                "01|recorded|token|-|200",
                "1|paused|token|-|",
                "1|IN-FLIGHT|token|-|",
                "1||token|-|",
                "1|in-flight||-|",
                "1|in-flight|token|-",
                "1|recorded|token|-|",
                "1|recorded|token|-|OK",
                "1|recorded|token|-|99",
                "1|recorded|token|-|600",
                "1|recorded|token|-|0200",
                "1|recorded|token|-|200|more",
                "||||",
                "|",
                "OK",
                "\u0000",
            })
    void whatCannotBeReadIsUnknownAndNobodysOwn(String encoded) {
        StoredValue value = StoredValue.decode(encoded);

        assertThat(value.state()).isEqualTo(KeyState.UNKNOWN);
        assertThat(value.isRecorded()).isFalse();
        assertThat(value.isOwnedBy(claim)).isFalse();
    }

    @Test
    void noTextMakesReadingFail() {
        Random random = new Random(7);
        String alphabet = "12|-recodinflight069x\n\u00e9";
        for (int i = 0; i < 10_000; i++) {
            StringBuilder text = new StringBuilder();
            random.ints(random.nextInt(40), 0, alphabet.length()).forEach(at -> text.append(alphabet.charAt(at)));
            assertThat(StoredValue.decode(text.toString())).isNotNull();
        }
    }
}
