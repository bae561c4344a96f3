package dev.exactlyonce.cdi;

import dev.exactlyonce.Batch;
import dev.exactlyonce.ExactlyOnceRunner;
import dev.exactlyonce.RolledBackException;
import dev.exactlyonce.admission.Admission;
import dev.exactlyonce.admission.AdmissionEngine;
import dev.exactlyonce.admission.Failures;
import dev.exactlyonce.admission.Handler;
import dev.exactlyonce.admission.Lease;
import dev.exactlyonce.admission.Outcome;
import dev.exactlyonce.admission.PreparedDelivery;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.TransactionalLease;
import dev.exactlyonce.rest.RequestDelivery;
import dev.exactlyonce.rest.Responses;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.Sources;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The runner: the engine without a request around it. */
final class EngineRunner implements ExactlyOnceRunner {
    private final AdmissionEngine engine;
    private final Sources sources;
    private final AmbientTransaction transaction;
    private final RequestDelivery current;

    /** @param current the request-scoped bean's proxy */
    EngineRunner(AdmissionEngine engine, Sources sources, AmbientTransaction transaction, RequestDelivery current) {
        this.current = current;
        this.engine = engine;
        this.sources = sources;
        this.transaction = transaction;
    }

    @Override
    public <T extends @Nullable Object> Result<T> run(String source, List<String> keyParts, Callable<T> work)
            throws Exception {
        return runFenced(source, keyParts, fence -> work.call());
    }

    @Override
    public <T extends @Nullable Object> Result<T> runFenced(String source, List<String> keyParts, FencedWork<T> work)
            throws Exception {
        SourcePolicy policy = allowed(source);
        DeliveryKey key = DeliveryKey.of(source, source, keyParts);
        return engine.admit(new PreparedDelivery(policy, key, Fingerprint.NONE), new WorkHandler<>(work, transaction))
                .fold(new AsResult<>());
    }

    private SourcePolicy allowed(String source) {
        SourcePolicy policy = sources.find(source)
                .map(it -> it.policy().acknowledging())
                .orElseThrow(() -> new IllegalArgumentException("the source '" + source
                        + "' is not declared; name it in exactlyonce.sources, or use one of " + sources.names()));
        if (transaction.isActive()) {
            throw new IllegalStateException(
                    "a transaction is active, and the record would be written before its commit;"
                            + " begin the transaction inside the work");
        }
        return policy;
    }

    @Override
    public <T> Batch forEach(
            String source,
            Iterable<? extends T> items,
            Function<? super T, List<String>> keyOf,
            ItemHandler<? super T> handler) {
        allowed(source); // else each item would tell the same fault
        return new ItemRuns<T>(this, source, keyOf, handler).run(items);
    }

    @Override
    public <T> void forEach(
            Iterable<? extends T> items, Function<? super T, List<String>> keyOf, ItemHandler<? super T> handler)
            throws Exception {
        SourceSettings source = current.source();
        Batch batch = this.<T>forEach(source.policy().name(), items, keyOf, handler);
        if (batch.isComplete()) {
            return;
        }
        current.leaveIncomplete();
        if (!batch.failures().isEmpty()) {
            Exception first = batch.failures().get(0);
            batch.failures().stream().skip(1).filter(it -> it != first).forEach(first::addSuppressed);
            throw first;
        }
        if (batch.unavailable() > 0) {
            throw Responses.refuse(Responses.unavailable());
        }
        throw Responses.refuse(Responses.inFlight(source.inFlightStatus(), batch.leaseLeft()));
    }

    private record WorkHandler<T extends @Nullable Object>(FencedWork<T> work, AmbientTransaction transactions)
            implements Handler<T> {
        @Override
        public T handle(Lease lease) throws Exception {
            if (lease instanceof TransactionalLease transactional) {
                T result = new RecordingTransaction(transactions, transactional, this, failure -> false)
                        .run(() -> work.run(transactional.fence()));
                if (transactional.isUndone()) {
                    throw new RolledBackException();
                }
                return result;
            }
            return TransactionWatch.over(transactions, () -> work.run(lease.fence()), RolledBackException::new);
        }

        @Override
        public Outcome judge(@Nullable Object value) {
            return Outcome.ofStatus(200);
        }

        @Override
        public Outcome judgeFailure(Throwable failure, boolean ofStage) {
            return Failures.isUnfinished(failure, ofStage) ? Outcome.unfinished() : Outcome.ofFailure(500);
        }

        @Override
        public RuntimeException superseded(Duration leaseLeft) {
            return new CompletionException(
                    new IllegalStateException("another owner took the key after the lease had ended, and runs now"));
        }
    }

    private static final class AsResult<T extends @Nullable Object>
            implements Admission.AdmissionVisitor<T, Result<T>> {
        @Override
        public Result<T> ran(T result) {
            return new Result.Ran<>(result);
        }

        @Override
        public Result<T> duplicate(RecordedAnswer answer) {
            return new Result.Duplicate<>();
        }

        @Override
        public Result<T> inFlight(Duration leaseLeft) {
            return new Result.InFlight<>(leaseLeft);
        }

        @Override
        public Result<T> otherBody() {
            throw new IllegalStateException("work without a body has no other body");
        }

        @Override
        public Result<T> unavailable() {
            return new Result.Unavailable<>();
        }
    }
}
