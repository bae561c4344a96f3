package dev.exactlyonce.admission;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.time.Duration;

/**
 * Claims that are records in the transaction of the calling thread: its commit makes them, its rollback undoes them. Between
 * the two no other transaction gets the key. Thread-safe.
 */
public interface TransactionalClaims {
    /** Where the application's store has no transactions. */
    TransactionalClaims NONE = new TransactionalClaims() {
        @Override
        public Reservation claim(Claim claim, RecordedAnswer answer, Duration ttl) {
            throw new StoreUnavailableException("the store takes part in no transaction");
        }

        @Override
        public void change(Claim claim, RecordedAnswer answer) {
            throw new StoreUnavailableException("the store takes part in no transaction");
        }
    };

    /**
     * Writes a record where the key is absent. Waits a bounded time for another transaction that has the key; after any answer
     * but {@code Granted} the transaction is good for nothing but a rollback.
     *
     * @throws StoreUnavailableException when the database failed, or the connection takes no part in the transaction
     */
    Reservation claim(Claim claim, RecordedAnswer answer, Duration ttl);

    /** Changes the answer of the record that this transaction has written. */
    void change(Claim claim, RecordedAnswer answer);
}
