package dev.exactlyonce.cdi;

import dev.exactlyonce.admission.Handler;
import dev.exactlyonce.admission.Outcome;
import dev.exactlyonce.admission.TransactionalLease;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One delivery's work inside the transaction that also writes its record: in the one that is active, or in one of its own. Work
 * that fails rolls it back, whatever the kind of its exception, unless a {@code dontRollbackOn} says otherwise.
 *
 * @param handler reads how the work has ended
 * @param isCommittedDespite whether the transaction is committed although the work threw this
 */
record TransactionalWork(
        AmbientTransaction transactions,
        TransactionalLease lease,
        Handler<?> handler,
        Predicate<Throwable> isCommittedDespite) {

    <T extends @Nullable Object> T run(Callable<T> work) throws Exception {
        if (transactions.isActive()) {
            return joined(work);
        }
        transactions.begin();
        boolean isComplete = false;
        try {
            T result = joined(work);
            isComplete = true;
            return result;
        } catch (Exception failure) {
            isComplete = isCommittedDespite.test(failure);
            throw failure;
        } finally {
            transactions.end(isComplete);
        }
    }

    private <T extends @Nullable Object> T joined(Callable<T> work) throws Exception {
        Object transaction = transactions.key();
        transactions.onEnd(lease::ended);
        if (!lease.claim()) {
            transactions.setRollbackOnly();
            throw lease.refused();
        }
        T result;
        try {
            result = work.call();
        } catch (Throwable failure) {
            ended(handler.judgeFailure(failure, false), isCommittedDespite.test(failure));
            throw failure;
        }
        if (transaction == null || !transaction.equals(transactions.key())) {
            throw new IllegalStateException(
                    "the handler ended the transaction that its record was written in; remove its UserTransaction");
        }
        Outcome outcome = handler.judge(result);
        ended(outcome, lease.keeps(outcome));
        return result;
    }

    private void ended(Outcome outcome, boolean commits) {
        if (!commits && transactions.isActive()) {
            transactions.setRollbackOnly();
        }
        lease.judged(outcome, commits && !transactions.isRollbackOnly());
    }
}
