package dev.exactlyonce.store.redis;

import dev.exactlyonce.admission.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * What became of a command.
 *
 * @param value what Redis said; null is one of its answers
 * @param trouble why it said nothing, or nothing good; null when it did
 * @param replicas how many replicas have the write, where that was asked for
 */
record Answer(@Nullable Object value, @Nullable Throwable trouble, int replicas) {
    static Answer of(@Nullable Object value, int replicas) {
        return new Answer(value, null, replicas);
    }

    static Answer failed(Throwable trouble) {
        return new Answer(null, trouble, 0);
    }

    /** @throws StoreUnavailableException when there is trouble */
    @Nullable
    Object orThrow() {
        if (trouble != null) {
            throw Trouble.of(trouble);
        }
        return value;
    }

    /** @throws StoreUnavailableException when fewer replicas have the write; it may be repeated */
    static void requireReplicas(int wanted, int replicas) {
        if (replicas < wanted) {
            throw new StoreUnavailableException("fewer replicas of Redis have the write than wait-replicas asks for");
        }
    }
}
