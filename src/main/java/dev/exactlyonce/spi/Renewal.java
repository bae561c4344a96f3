package dev.exactlyonce.spi;

import java.util.List;

/**
 * The result of renewing one claim.
 *
 * <pre>{@code
 * boolean isLost = store.renew(claim).equals(Renewal.LOST);
 * }</pre>
 *
 * @since 0.1.0
 */
public sealed interface Renewal {
    /** The claim holds for another lease, or has been recorded. */
    Renewal HELD = new Held();

    /** Another owner has the key. */
    Renewal LOST = new Lost();

    /** See {@link #HELD}. */
    record Held() implements Renewal {}

    /** See {@link #LOST}. */
    record Lost() implements Renewal {}

    /** The store answered for other claims but not for this one: it may or may not have been renewed. */
    record Unanswered(StoreUnavailableException why) implements Renewal {}

    /** @throws StoreUnavailableException the first failure, when there is no answer for any claim */
    static List<Renewal> requireAny(List<Renewal> answers) {
        if (!answers.isEmpty() && answers.stream().allMatch(Unanswered.class::isInstance)) {
            throw ((Unanswered) answers.get(0)).why();
        }
        return answers;
    }
}
