package dev.exactlyonce.admission;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One run of a handler under its claims, which are recorded or released together by how it ends. */
final class HandlerRun<R extends @Nullable Object> {
    private final Handler<R> handler;
    private final Acquisition.ClaimsGranted<R> claims;
    private final OutcomeRecorder recorder;
    private final ActiveHandlers.RunningHandler turn;

    HandlerRun(
            Handler<R> handler,
            Acquisition.ClaimsGranted<R> claims,
            OutcomeRecorder recorder,
            ActiveHandlers.RunningHandler turn) {
        this.handler = handler;
        this.claims = claims;
        this.recorder = recorder;
        this.turn = turn;
    }

    Admission<R> run() throws Exception {
        R result;
        try {
            result = handler.handle(claims.view());
        } catch (Throwable failure) {
            try {
                end(() -> handler.judgeFailure(failure, false));
            } catch (RuntimeException | Error broken) {
                if (broken != failure) {
                    failure.addSuppressed(broken);
                }
            }
            throw failure;
        }
        if (result instanceof CompletionStage<?> stage) {
            recorder.leaveThread(claims.held());
            return new Admission.HandlerEnded<>(followed(stage));
        }
        return end(() -> handler.judge(result))
                .<Admission<R>>map(Admission.StillRunning::new)
                .orElseGet(() -> new Admission.HandlerEnded<>(result));
    }

    @SuppressWarnings("unchecked") // a stage's own type makes the stage that follows it
    private R followed(CompletionStage<?> stage) {
        try {
            return (R) stage.handle(this::endStage);
        } catch (RuntimeException | Error broken) { // the end of a stage that cannot be followed is never known
            end(Outcome::unfinished);
            throw broken;
        }
    }

    private @Nullable Object endStage(@Nullable Object value, @Nullable Throwable failure) {
        if (failure != null) {
            end(() -> handler.judgeFailure(failure, true));
            throw failure instanceof CompletionException as ? as : new CompletionException(failure);
        }
        Optional<Duration> otherRuns = end(() -> handler.judge(value));
        if (otherRuns.isPresent()) {
            throw handler.superseded(otherRuns.get());
        }
        return value;
    }

    /** @return when another owner runs now, what is left of its lease */
    private Optional<Duration> end(Supplier<Outcome> judgement) {
        try {
            return recorder.end(claims.held(), judgement);
        } finally {
            turn.end();
        }
    }
}
