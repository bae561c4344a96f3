package dev.exactlyonce.it;

import dev.exactlyonce.Delivery;
import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.ExactlyOnceRunner;
import dev.exactlyonce.RolledBackException;
import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import jakarta.transaction.UserTransaction;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Handlers whose first run returns normally while one of its transactions is rolled back. */
@Path("/rolled-back")
@RequestScoped
@ExactlyOnce("demo")
public class RollsBack {
    @Inject
    Handlers.Runs runs;

    @Inject
    Delivery delivery;

    @Inject
    Ledger ledger;

    @EJB
    LedgerBean bean;

    @EJB
    LedgerBeanWithTimeout beanWithTimeout;

    @Inject
    ExactlyOnceRunner runner;

    @Resource
    TransactionSynchronizationRegistry transaction;

    @Resource
    UserTransaction user;

    private boolean first() {
        return runs.next(delivery.key()) == 1;
    }

    private void rollBackFirst() {
        if (first()) {
            transaction.setRollbackOnly();
        }
    }

    @POST
    @Path("/own")
    @Transactional
    public String own(String body) {
        rollBackFirst();
        return "returned";
    }

    @POST
    @Path("/stage")
    @Transactional
    public CompletionStage<String> stage(String body) {
        rollBackFirst();
        return CompletableFuture.supplyAsync(() -> "returned");
    }

    @POST
    @Path("/kept")
    @Transactional
    @ExactlyOnce("keeps-all")
    public String kept(String body) {
        transaction.setRollbackOnly();
        return "returned";
    }

    @POST
    @Path("/bean-of-its-own")
    @Transactional
    public String requiresNew(String body) {
        return ledger.requiresNew(first());
    }

    @POST
    @Path("/joined")
    public String joined(String body) {
        return ledger.afterAFailure(first());
    }

    @POST
    @Path("/timeout")
    public String timeout(String body) throws Exception {
        user.setTransactionTimeout(1);
        try {
            return ledger.outliveItsTimeout(first());
        } finally {
            user.setTransactionTimeout(0);
        }
    }

    @POST
    @Path("/session-bean")
    public String sessionBean(String body) {
        return bean.write(first());
    }

    @POST
    @Path("/session-bean-timeout")
    public String sessionBeanTimeout(String body) throws Exception {
        return beanWithTimeout.outliveItsTimeout(first());
    }

    @POST
    @Path("/caught")
    public String caught(String body) {
        try {
            return ledger.fail();
        } catch (IllegalStateException expected) {
            return "returned";
        }
    }

    @POST
    @Path("/user-transaction")
    public String userTransaction(String body) throws Exception {
        user.begin();
        ledger.join();
        user.rollback();
        return "returned";
    }

    @POST
    @Path("/user-transaction-and-session-bean")
    public String userTransactionAndSessionBean(String body) throws Exception {
        user.begin();
        bean.write(false);
        user.rollback();
        return "returned";
    }

    @POST
    @Path("/runner")
    public String runner(String key) throws Exception {
        try {
            return runner.run("demo", List.of("item", key), () -> ledger.requiresNew(first()))
                    .fold(ran -> ran.value(), duplicate -> "duplicate", inFlight -> "in flight", away -> "unavailable");
        } catch (RolledBackException expected) {
            return runner.run("demo", List.of("item", key), () -> ledger.requiresNew(first()))
                    .fold(ran -> "again", duplicate -> "duplicate", inFlight -> "in flight", away -> "unavailable");
        }
    }

    /** A CDI bean that the handlers call. */
    @ApplicationScoped
    public static class Ledger {
        @Resource
        TransactionSynchronizationRegistry transaction;

        @Inject
        Ledger self;

        @Transactional(TxType.REQUIRES_NEW)
        public String requiresNew(boolean rollBack) {
            if (rollBack) {
                transaction.setRollbackOnly();
            }
            return "returned";
        }

        @Transactional
        public String afterAFailure(boolean fails) {
            try {
                return fails ? self.fail() : "returned";
            } catch (IllegalStateException caught) { // and the transaction, which is this method's, too, is marked
                return "returned";
            }
        }

        @Transactional
        public String fail() {
            throw new IllegalStateException("undone");
        }

        @Transactional
        public void join() {}

        @Transactional
        public String outliveItsTimeout(boolean outlive) throws InterruptedException {
            awaitTimeout(transaction, outlive);
            return "returned";
        }
    }

    static void awaitTimeout(TransactionSynchronizationRegistry transaction, boolean outlive)
            throws InterruptedException {
        for (int i = 0; outlive && i < 3_000 && transaction.getTransactionStatus() == Status.STATUS_ACTIVE; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
