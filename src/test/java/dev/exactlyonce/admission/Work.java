package dev.exactlyonce.admission;

import dev.exactlyonce.spi.RecordedAnswer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A handler that counts its runs. An Integer that it returns is its status, as the message of
 * a {@link Failed} is, and a RecordedAnswer is the whole of it. */
final class Work implements Handler<Object> {
    interface Body {
        @Nullable
        Object run(Lease lease) throws Exception;
    }

    static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;
        final int status;

        Failed(int status) {
            super(Integer.toString(status));
            this.status = status;
        }
    }

    static final class Overtaken extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final transient Duration leaseLeft;

        Overtaken(Duration leaseLeft) {
            this.leaseLeft = leaseLeft;
        }
    }

    private final AtomicInteger runs = new AtomicInteger();
    private final Body body;

    private Work(Body body) {
        this.body = body;
    }

    static Work of(Body body) {
        return new Work(body);
    }

    static Work returning(@Nullable Object value) {
        return new Work(lease -> value);
    }

    static Work failing(Throwable failure) {
        return new Work(lease -> {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (Exception) failure;
        });
    }

    int runs() {
        return runs.get();
    }

    @Override
    public Object handle(Lease lease) throws Exception {
        runs.incrementAndGet();
        return body.run(lease);
    }

    @Override
    public Outcome judge(@Nullable Object value) {
        return value instanceof RecordedAnswer it
                ? Outcome.ofStatus(it.status()).answered(it.content())
                : Outcome.ofStatus(value instanceof Integer status ? status : 204);
    }

    @Override
    public Outcome judgeFailure(Throwable failure, boolean ofStage) {
        if (Failures.isUnfinished(failure, ofStage)) {
            return Outcome.unfinished();
        }
        return Outcome.ofFailure(Failures.unwrap(failure) instanceof Failed it ? it.status : 500);
    }

    @Override
    public RuntimeException superseded(Duration leaseLeft) {
        return new Overtaken(leaseLeft);
    }
}
