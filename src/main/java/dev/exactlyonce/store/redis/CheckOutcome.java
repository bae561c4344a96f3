package dev.exactlyonce.store.redis;

import dev.exactlyonce.spi.StoreUnavailableException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One check's end among many: what it found, or why it found nothing. One check's failure is not the others'.
 *
 * @param found null when there is a failure
 */
record CheckOutcome(@Nullable CheckResult found, @Nullable StoreUnavailableException failure) {
    /** @param check throws a StoreUnavailableException when there is a failure; what else it throws is passed on */
    static CheckOutcome of(Supplier<CheckResult> check) {
        try {
            return new CheckOutcome(check.get(), null);
        } catch (StoreUnavailableException failure) {
            return failed(failure);
        }
    }

    static CheckOutcome failed(StoreUnavailableException failure) {
        return new CheckOutcome(null, failure);
    }

    /** @throws StoreUnavailableException when there is a failure */
    CheckResult orThrow() {
        if (failure != null) {
            throw failure;
        }
        return Objects.requireNonNull(found);
    }
}
