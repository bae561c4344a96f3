package dev.exactlyonce.it;

import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;

/** A session bean that handlers call. */
@Stateless
public class LedgerBean {
    @Resource
    SessionContext context;

    public String write(boolean rollBack) {
        if (rollBack) {
            context.setRollbackOnly();
        }
        return "returned";
    }
}
