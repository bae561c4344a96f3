package dev.exactlyonce.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
    private final SettableClock passed = new SettableClock();
    private final DegradedFacts facts = new DegradedFacts(passed, event -> {});
    private Duration ahead = Duration.ZERO;
    private final ClockWatch watch =
            new ClockWatch(new MachineClocks(() -> passed.instant().plus(ahead), passed, Optional::empty), facts);

    private void look() {
        passed.advance(Duration.ofSeconds(1));
        watch.look();
    }

    private void assertJumped(boolean isExpected) {
        assertThat(facts.current().map(DegradedFact::reason))
                .isEqualTo(isExpected ? Optional.of("clock jumped") : Optional.empty());
    }

    @Test
    void timeThatPassesIsNoJump() {
        passed.advance(Duration.ofDays(30));
        look();
        assertJumped(false);
    }

    @Test
    void aCorrectionOfAFewSecondsIsNoJump() {
        ahead = Duration.ofSeconds(-4);
        look();
        assertJumped(false);
    }

    @Test
    void aJumpForwardIsAFactUntilItIsTakenBack() {
        ahead = Duration.ofDays(2);
        look();
        assertJumped(true);
        ahead = Duration.ZERO;
        look();
        assertJumped(false);
    }

    @Test
    void aJumpBackThatLastsAnHourCountsAsRightAfterIt() {
        ahead = Duration.ofHours(-6);
        look();
        passed.advance(Duration.ofMinutes(59));
        look();
        assertJumped(true);
        passed.advance(Duration.ofMinutes(1));
        look();
        assertJumped(false);
        look();
        assertJumped(false);
        ahead = Duration.ZERO;
        look();
        assertJumped(true);
    }
}
