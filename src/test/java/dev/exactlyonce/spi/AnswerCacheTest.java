package dev.exactlyonce.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerCacheTest {
    private static final String LARGE = "x".repeat(300);

    private final AnswerCache answers = new AnswerCache(1_000);

    private static Claim claim() {
        return Claim.fresh(DeliveryKey.of("s", "e", List.of("k")), Fingerprint.NONE, Duration.ofSeconds(1));
    }

    private Claim held(String content) {
        Claim claim = claim();
        answers.put(claim, new RecordedAnswer(200, content));
        return claim;
    }

    private String contentOf(Claim claim) {
        return answers.find(claim.owner(), 200).content();
    }

    @Test
    void anAnswerIsHeldForItsOwnClaimWithTheRecordsStatus() {
        Claim mine = held("mine");

        assertThat(answers.find(mine.owner(), 201)).isEqualTo(new RecordedAnswer(201, "mine"));
        assertThat(answers.find(claim().owner(), 201)).isEqualTo(RecordedAnswer.of(201));
    }

    @Test
    void theOldestGiveWay() {
        Claim one = held(LARGE);
        Claim two = held(LARGE);
        Claim three = held(LARGE);

        assertThat(contentOf(one)).isEmpty();
        assertThat(contentOf(two)).isEqualTo(LARGE);
        assertThat(contentOf(three)).isEqualTo(LARGE);
    }

    @Test
    void oneThatFitsNowhereDrivesNobodyOut() {
        Claim one = held("one");
        Claim tooLarge = held("x".repeat(801));

        assertThat(contentOf(one)).isEqualTo("one");
        assertThat(contentOf(tooLarge)).isEmpty();
    }

    @Test
    void whatWasRemovedOrReplacedMakesRoom() {
        Claim one = held(LARGE);
        answers.put(one, new RecordedAnswer(200, LARGE));
        Claim two = held(LARGE);
        answers.remove(two);
        answers.remove(claim());
        Claim three = held(LARGE);

        assertThat(contentOf(one)).isEqualTo(LARGE);
        assertThat(contentOf(two)).isEmpty();
        assertThat(contentOf(three)).isEqualTo(LARGE);
    }

    @Test
    void aTombstoneIsNotHeldAndTakesNoAnswerAway() {
        Claim one = held("one");
        answers.put(one, RecordedAnswer.of(200));

        assertThat(contentOf(one)).isEqualTo("one");
    }
}
