package dev.exactlyonce.it;

import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.transaction.TransactionSynchronizationRegistry;

/** A session bean whose transactions time out after a second: Open Liberty reads that from {@code ibm-ejb-jar-ext.xml}. */
@Stateless
public class LedgerBeanWithTimeout {
    static final String DESCRIPTOR = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ejb-jar-ext xmlns="http://websphere.ibm.com/xml/ns/javaee" version="1.1">
              <session name="LedgerBeanWithTimeout">
                <global-transaction transaction-time-out="1"/>
              </session>
            </ejb-jar-ext>
            """;

    @Resource
    TransactionSynchronizationRegistry transaction;

    public String outliveItsTimeout(boolean outlive) throws InterruptedException {
        RollsBack.awaitTimeout(transaction, outlive);
        return "returned";
    }
}
