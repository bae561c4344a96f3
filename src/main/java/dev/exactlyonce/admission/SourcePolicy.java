package dev.exactlyonce.admission;

import dev.exactlyonce.Mode;
import dev.exactlyonce.spi.Fingerprint;
import java.time.Duration;

/**
 * How the engine treats one source's deliveries.
 *
 * @param name the source's name
 * @param keys finds the idempotency key
 * @param verifier checks the signature
 * @param lease how long a claim holds without being renewed; 1 ms to 365 days
 * @param ttl how long a record is kept, from the moment it is written; 1 ms to 10 years
 * @param maxBodySize the largest body, in bytes; 0 to 1 GiB
 * @param duplicates what becomes of the copies of a recorded delivery
 * @param mode when the work is done; never {@link Mode#SOURCE}
 */
public record SourcePolicy(
        String name,
        KeyResolver keys,
        DeliveryVerifier verifier,
        Duration lease,
        Duration ttl,
        int maxBodySize,
        FingerprintBy fingerprint,
        RecordOn recordOn,
        OnOutage onOutage,
        Duplicates duplicates,
        Mode mode) {

    /** What a fingerprint is taken of. */
    public enum FingerprintBy {
        NONE,
        /** The body: the key with another one is refused. */
        BODY,
        /** The body: the key with another one is a delivery of its own. */
        SEPARATE
    }

    /** Which outcomes are recorded; the others release the claim. */
    public enum RecordOn {
        SUCCESS,
        CLIENT_ERROR,
        ALWAYS;

        boolean keeps(Outcome outcome) {
            return switch (outcome.kind()) {
                case SUCCESS -> true;
                case CLIENT_ERROR -> this != SUCCESS;
                case FAILURE -> this == ALWAYS;
                case NOT_RUN, UNFINISHED -> false;
            };
        }
    }

    /** What becomes of a delivery while the store cannot be reached. */
    public enum OnOutage {
        /** The handler runs: the event is not lost, a copy on another replica may run too. */
        ADMIT,
        /** The delivery is refused; the provider retries. */
        REJECT
    }

    /** What becomes of a copy of a recorded delivery. */
    public enum Duplicates {
        /** It is acknowledged. */
        ACK,
        /** It gets the answer that the first one got. */
        REPLAY,
        /** It reaches the handler, flagged, and changes nothing in the store. */
        FORWARD
    }

    public static final Duration SHORTEST = Duration.ofMillis(1);
    public static final Duration MAX_LEASE = Duration.ofDays(365);
    public static final Duration MAX_TTL = Duration.ofDays(3650);
    public static final int MAX_BODY_SIZE = 1 << 30;

    /** A policy of {@link Mode#INLINE}. */
    public SourcePolicy(
            String name,
            KeyResolver keys,
            DeliveryVerifier verifier,
            Duration lease,
            Duration ttl,
            int maxBodySize,
            FingerprintBy fingerprint,
            RecordOn recordOn,
            OnOutage onOutage,
            Duplicates duplicates) {
        this(name, keys, verifier, lease, ttl, maxBodySize, fingerprint, recordOn, onOutage, duplicates, Mode.INLINE);
    }

    public SourcePolicy {
        if (mode == Mode.SOURCE) {
            throw new IllegalArgumentException("mode must be inline, inbox or transactional, was source");
        }
        requireBetween("lease", lease, MAX_LEASE);
        requireBetween("ttl", ttl, MAX_TTL);
        if (maxBodySize < 0 || maxBodySize > MAX_BODY_SIZE) {
            throw new IllegalArgumentException("max-body-size must be 0 to " + MAX_BODY_SIZE + ", was " + maxBodySize);
        }
    }

    private static void requireBetween(String what, Duration value, Duration most) {
        if (value.compareTo(SHORTEST) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " must be PT0.001S to " + most + ", was " + value);
        }
    }

    /** The same policy with other key expressions: an annotation's own. */
    public SourcePolicy withKeys(KeyResolver others) {
        return new SourcePolicy(
                name, others, verifier, lease, ttl, maxBodySize, fingerprint, recordOn, onOutage, duplicates, mode);
    }

    /** The same policy in the mode of an annotation; {@link Mode#SOURCE} keeps the source's own. */
    public SourcePolicy withMode(Mode other) {
        Mode resolved = other == Mode.SOURCE ? mode : other;
        return new SourcePolicy(
                name, keys, verifier, lease, ttl, maxBodySize, fingerprint, recordOn, onOutage, duplicates, resolved);
    }

    /** The same policy for work that has no answer, and cannot see that it is a duplicate's. */
    public SourcePolicy acknowledging() {
        return new SourcePolicy(
                name, keys, verifier, lease, ttl, maxBodySize, fingerprint, recordOn, onOutage, Duplicates.ACK, mode);
    }

    /** Whether this outcome's answer is to be kept with its record. */
    public boolean keepsAnswerOf(Outcome outcome) {
        return duplicates == Duplicates.REPLAY && recordOn.keeps(outcome);
    }

    /** The same policy with another fingerprint. */
    public SourcePolicy withFingerprint(FingerprintBy other) {
        return new SourcePolicy(
                name, keys, verifier, lease, ttl, maxBodySize, other, recordOn, onOutage, duplicates, mode);
    }

    /** @param digest the body's SHA-256, in hexadecimal */
    Fingerprint fingerprintOf(String digest) {
        return fingerprint == FingerprintBy.NONE ? Fingerprint.NONE : new Fingerprint(digest);
    }
}
