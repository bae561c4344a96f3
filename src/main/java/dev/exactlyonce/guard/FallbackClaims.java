package dev.exactlyonce.guard;

import dev.exactlyonce.admission.LocalEntry;
import dev.exactlyonce.spi.AnswerCache;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.RecordedAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The claims that are in the fallback, or may be. Each stays known for a while after it was settled, as a renewal may still
 * be in progress; one that was recorded is written to the configured store once that has come back. Thread-safe.
 */
final class FallbackClaims {
    private static final long KNOWN_NANOS = Duration.ofMinutes(2).toNanos();

    /**
     * @param settled whether its work has ended
     * @param since when it was claimed or settled, on the ticker
     */
    private record FallbackClaim(LocalEntry entry, boolean settled, long since) {}

    private final Map<String, FallbackClaim> byOwner = new ConcurrentHashMap<>();
    private final AnswerCache answers = new AnswerCache(AnswerCache.DEFAULT_SIZE);
    private final LongSupplier ticker;

    FallbackClaims(LongSupplier ticker) {
        this.ticker = ticker;
    }

    boolean has(Claim claim) {
        return byOwner.containsKey(claim.owner());
    }

    void add(Claim claim) {
        long now = ticker.getAsLong();
        byOwner.put(claim.owner(), new FallbackClaim(LocalEntry.claimed(claim, now), false, now));
    }

    void remove(Claim claim) {
        byOwner.remove(claim.owner());
    }

    void recorded(Claim claim, RecordedAnswer answer, Duration ttl) {
        long now = ticker.getAsLong();
        answers.put(claim, answer);
        LocalEntry entry = LocalEntry.recorded(claim, answer, ttl, now).tombstone();
        byOwner.put(claim.owner(), new FallbackClaim(entry, true, now));
    }

    /** Its work has ended, and nothing more is written for it. */
    void settled(Claim claim) {
        long now = ticker.getAsLong();
        byOwner.computeIfPresent(claim.owner(), (owner, it) -> new FallbackClaim(it.entry(), true, now));
    }

    /** Whether a handler still runs whose claim is here, where other replicas do not see it. */
    boolean hasRunning() {
        return byOwner.values().stream().anyMatch(it -> !it.settled());
    }

    /** The records that the configured store does not know yet; each is returned once. */
    List<LocalEntry> takeRecorded() {
        List<FallbackClaim> recorded =
                byOwner.values().stream().filter(it -> it.entry().isRecorded()).toList();
        recorded.forEach(it -> byOwner.replace(
                it.entry().claim().owner(),
                it,
                new FallbackClaim(LocalEntry.claimed(it.entry().claim(), it.since()), true, it.since())));
        return recorded.stream().map(it -> it.entry().withAnswerOf(answers)).toList();
    }

    void forgetSettled() {
        long now = ticker.getAsLong();
        byOwner.values().removeIf(it -> it.settled() && now - it.since() >= KNOWN_NANOS);
    }
}
