package dev.exactlyonce.it;

import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.transaction.TransactionSynchronizationRegistry;

/** A session bean that handlers call. */
@Stateless
public class LedgerBean {
    @Resource
    SessionContext context;

    @Resource
    TransactionSynchronizationRegistry transaction;

    public String write(boolean rollBack) {
        if (rollBack) {
            context.setRollbackOnly();
        }
        return "returned";
    }

    public String outliveItsTimeout(boolean outlive) throws InterruptedException {
        RollsBack.awaitTimeout(transaction, outlive);
        return "returned";
    }
}
