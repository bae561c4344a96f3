package dev.exactlyonce.cdi;

import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.sqlite.FileLoss;
import java.time.Duration;
import java.time.InstantSource;

/** What follows when a store may have lost claims and records: a fact for one lease, and what is known here is written again. */
final class LostClaims {
    private final DegradedFacts facts;
    private final InstantSource clock;
    private final Duration longestLease;

    /** A store is first seen after this is set, and a first sight is no loss. */
    private volatile Runnable restoring = () -> {};

    LostClaims(DegradedFacts facts, InstantSource clock, Duration longestLease) {
        this.facts = facts;
        this.clock = clock;
        this.longestLease = longestLease;
    }

    DegradedFacts facts() {
        return facts;
    }

    InstantSource clock() {
        return clock;
    }

    void restoredBy(Runnable action) {
        restoring = action;
    }

    void raise(String reason, String hint) {
        facts.raiseUntil(
                DegradedFacts.FactKind.LOST_CLAIMS,
                reason,
                hint,
                clock.instant().plus(longestLease));
        restoring.run();
    }

    void ofFile(FileLoss loss) {
        raise(
                "sqlite file was " + loss.word() + " (recent claims may be lost)",
                "stop the application before the file of exactlyonce.sqlite.path is changed");
    }
}
