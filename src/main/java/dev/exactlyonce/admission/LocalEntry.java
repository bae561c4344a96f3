package dev.exactlyonce.admission;

import dev.exactlyonce.spi.AnswerCache;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What this replica holds under a key: a claim, or its record once it has an answer. Immutable. Where many are held, they are
 * held as tombstones, and the answers in an {@link AnswerCache}.
 *
 * @param answer the record's; none for a claim
 * @param until the end of the lease or of the TTL, on the replica's ticker
 */
public record LocalEntry(Claim claim, @Nullable RecordedAnswer answer, long until) {
    /** A claim, until its lease ends. */
    public static LocalEntry claimed(Claim claim, long now) {
        return new LocalEntry(claim, null, now + claim.lease().toNanos());
    }

    /** A record, until its TTL ends. */
    public static LocalEntry recorded(Claim claim, RecordedAnswer answer, Duration ttl, long now) {
        return new LocalEntry(claim, answer, now + ttl.toNanos());
    }

    public boolean isRecorded() {
        return answer != null;
    }

    /** How much of its lease or TTL is left, never negative. */
    public Duration left(long now) {
        return Duration.ofNanos(Math.max(0, until - now));
    }

    public boolean hasEnded(long now) {
        return until - now <= 0;
    }

    /** The same record without the content of its answer. */
    public LocalEntry tombstone() {
        return answer == null || answer.isTombstone() ? this : withAnswer(RecordedAnswer.of(answer.status()));
    }

    /** The same record with its answer, as far as this cache still holds it. */
    public LocalEntry withAnswerOf(AnswerCache answers) {
        return answer == null ? this : withAnswer(answers.find(claim.owner(), answer.status()));
    }

    private LocalEntry withAnswer(RecordedAnswer other) {
        return new LocalEntry(claim, other, until);
    }

    /** What another claim on this key is refused with, when this is a record. */
    public Reservation.AlreadyRecorded alreadyRecorded() {
        return new Reservation.AlreadyRecorded(claim.fingerprint(), recordedAnswer());
    }

    /** The answer of a record. */
    public RecordedAnswer recordedAnswer() {
        return Objects.requireNonNull(answer, "a claim has no answer");
    }
}
