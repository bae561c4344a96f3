package dev.exactlyonce.store.redis;

import dev.exactlyonce.admission.StoreUnavailableException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One check's end among many: what it found, or why it found nothing. The trouble of one is not that of the others.
 *
 * @param found null when there is trouble
 */
record Finding(@Nullable Found found, @Nullable StoreUnavailableException trouble) {
    /** @param check throws a StoreUnavailableException when there is trouble; what else it throws is passed on */
    static Finding of(Supplier<Found> check) {
        try {
            return new Finding(check.get(), null);
        } catch (StoreUnavailableException trouble) {
            return failed(trouble);
        }
    }

    static Finding failed(StoreUnavailableException trouble) {
        return new Finding(null, trouble);
    }

    /** @throws StoreUnavailableException when there is trouble */
    Found orThrow() {
        if (trouble != null) {
            throw trouble;
        }
        return Objects.requireNonNull(found);
    }
}
