package dev.exactlyonce.store.redis;

import dev.exactlyonce.spi.StoreUnavailableException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One check's end among many: what it found, or why it found nothing. The trouble of one is not that of the others.
 *
 * @param found null when there is trouble
 */
record CheckOutcome(@Nullable CheckResult found, @Nullable StoreUnavailableException trouble) {
    /** @param check throws a StoreUnavailableException when there is trouble; what else it throws is passed on */
    static CheckOutcome of(Supplier<CheckResult> check) {
        try {
            return new CheckOutcome(check.get(), null);
        } catch (StoreUnavailableException trouble) {
            return failed(trouble);
        }
    }

    static CheckOutcome failed(StoreUnavailableException trouble) {
        return new CheckOutcome(null, trouble);
    }

    /** @throws StoreUnavailableException when there is trouble */
    CheckResult orThrow() {
        if (trouble != null) {
            throw trouble;
        }
        return Objects.requireNonNull(found);
    }
}
