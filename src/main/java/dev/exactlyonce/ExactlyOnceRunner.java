package dev.exactlyonce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs work once that is not an HTTP request: a message, a scheduled job, an item of a batch. Injectable and thread-safe.
 *
 * <pre>{@code
 * @Inject
 * ExactlyOnceRunner runner;
 *
 * void onMessage(Order order) throws Exception {
 *     runner.run("orders", List.of(order.id()), () -> shipping.ship(order));
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ExactlyOnceRunner {
    /**
     * Runs the work unless this key was recorded or is in flight.
     *
     * <p>A normal return is recorded. An exception releases the key and is thrown on; with {@code record-on=always} it is
     * recorded, too, and the work does not run again. Work that returns a {@link
     * java.util.concurrent.CompletionStage} is recorded or released when that stage ends; the result then holds a stage
     * that ends after it. A source's {@code duplicate} is for requests: work that was recorded is never run again.
     *
     * @param source a declared source (in {@code exactlyonce.sources}, or a literal of an {@link ExactlyOnce}); its lease, TTL and outage settings apply
     * @param keyParts the parts of the idempotency key, in order: at least one, each 1 to 1,024 characters without control characters
     * @param work what must run once
     * @return what happened; a refusal is a value, never an exception
     * @throws IllegalArgumentException for a source that is not declared, or a key part that is not allowed
     * @throws IllegalStateException when a transaction is active: the record would be written before its commit, and
     *     a commit that then fails would lose the event; begin the transaction inside the work
     * @throws RolledBackException when the work returned normally, and a transaction that the container began around a
     *     method of it was rolled back: see {@link ExactlyOnce}
     * @throws Exception what the work throws
     */
    <T extends @Nullable Object> Result<T> run(String source, List<String> keyParts, Callable<T> work) throws Exception;

    /**
     * {@link #run} for work that hands the claim's fencing token on, see {@link Delivery#fence()}.
     *
     * @param work what must run once
     * @throws Exception what the work throws, and as {@link #run}
     */
    <T extends @Nullable Object> Result<T> runFenced(String source, List<String> keyParts, FencedWork<T> work)
            throws Exception;

    /** Work that is given its claim's fencing token; 0 while it is admitted without the store. */
    @FunctionalInterface
    interface FencedWork<T extends @Nullable Object> {
        T run(long fence) throws Exception;
    }

    /**
     * Runs the handler for every new item of a batch: items that were recorded are skipped, and one that fails is released
     * and does not keep the others from running. For providers that send several events in one request: the delivery's own
     * key would record all of them or none.
     *
     * @param items in the order in which they run
     * @param keyOf the parts of an item's key, as in {@link #run}
     * @return the results; a failure is a value, also one of {@code keyOf}
     * @throws IllegalArgumentException for a source that is not declared
     * @throws IllegalStateException as {@link #run}
     */
    <T> Batch forEach(
            String source,
            Iterable<? extends T> items,
            Function<? super T, List<String>> keyOf,
            ItemHandler<? super T> handler);

    /**
     * The same in an {@link ExactlyOnce} method, for the source of the current delivery, with the answer that its sender
     * must get: returns when every item is recorded. The delivery's own key is released by what this throws, and the
     * sender's retry runs what is still missing.
     *
     * @throws Exception what the handler threw for an item, the others' as suppressed; without one, an exception that
     *     answers 409 (the source's {@code in-flight-status}) when an item runs elsewhere, or 503 when the store cannot be
     *     asked and {@code on-outage} is {@code reject}
     * @throws IllegalStateException outside of such a method
     */
    <T> void forEach(
            Iterable<? extends T> items, Function<? super T, List<String>> keyOf, ItemHandler<? super T> handler)
            throws Exception;

    /** Handles one item of a batch. */
    @FunctionalInterface
    interface ItemHandler<T> {
        void handle(T item) throws Exception;
    }

    /** What happened to the work. */
    sealed interface Result<T extends @Nullable Object> {
        /** The work ran and returned this value; it is recorded. */
        record Ran<T extends @Nullable Object>(T value) implements Result<T> {}

        /** The work was recorded before; it did not run. */
        record Duplicate<T extends @Nullable Object>() implements Result<T> {}

        /** A copy runs now, here or on another replica; try again after the lease that it has left. */
        record InFlight<T extends @Nullable Object>(Duration leaseLeft) implements Result<T> {}

        /** The store cannot be reached and the source's {@code on-outage} is {@code reject}; the work did not run. */
        record Unavailable<T extends @Nullable Object>() implements Result<T> {}

        /** Answers each case; a new case breaks the callers' build. */
        default <A> A fold(
                Function<Ran<T>, A> ran,
                Function<Duplicate<T>, A> duplicate,
                Function<InFlight<T>, A> inFlight,
                Function<Unavailable<T>, A> unavailable) {
            if (this instanceof Ran<T> it) {
                return ran.apply(it);
            }
            if (this instanceof Duplicate<T> it) {
                return duplicate.apply(it);
            }
            if (this instanceof InFlight<T> it) {
                return inFlight.apply(it);
            }
            return unavailable.apply((Unavailable<T>) this);
        }
    }
}
