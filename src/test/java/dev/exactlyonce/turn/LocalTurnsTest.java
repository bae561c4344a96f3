package dev.exactlyonce.turn;

import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;

class LocalTurnsTest extends TurnStoreContract {
    private final SettableClock clock = new SettableClock();

    @Override
    protected TurnStore open() {
        return new LocalTurns(clock, clock);
    }

    @Override
    protected void endTtl(SessionKey session) {
        clock.advance(Duration.ofMinutes(1));
    }

    @Override
    protected void endWaiting(SessionKey session) {
        clock.advance(Duration.ofMinutes(5));
    }
}
