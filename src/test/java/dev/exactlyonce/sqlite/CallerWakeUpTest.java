package dev.exactlyonce.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallerWakeUpTest {
    private static final Duration FOR_EVER = Duration.ofDays(1);
    private static final int CALLERS = 6;

    private final List<PendingOperation<Notes, Boolean>> calls = new ArrayList<>();
    private final List<Thread> callers = new ArrayList<>();
    private final Queue<String> received = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void startCallers() {
        for (int i = 0; i < CALLERS; i++) {
            CompletableFuture<PendingOperation<Notes, Boolean>> made = new CompletableFuture<>();
            Thread caller = new Thread(() -> {
                PendingOperation<Notes, Boolean> call =
                        new PendingOperation<>(notes -> true, IllegalStateException::new);
                made.complete(call);
                try {
                    call.await(FOR_EVER.toNanos());
                } catch (IllegalStateException answer) {
                    received.add(answer.getCause().getMessage());
                }
            });
            caller.setDaemon(true);
            caller.start();
            callers.add(caller);
            calls.add(made.join());
            calls.get(i).begin();
            await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
        }
    }

    private static void answer(PendingOperation<Notes, Boolean> call, CallerWakeUp waking) {
        call.fail(new IllegalStateException("made up"), waking);
    }

    @Test
    void everyCallerOfACommitIsWoken() {
        CallerWakeUp waking = new CallerWakeUp(calls);
        calls.forEach(call -> answer(call, waking));
        waking.begin();

        await().untilAsserted(() -> assertThat(callers).noneMatch(Thread::isAlive));
    }

    @Test
    void callersThatHaveTheirAnswerBeforeTheOthersLeaveNoneAsleep() throws InterruptedException {
        CallerWakeUp waking = new CallerWakeUp(calls);
        for (int early = 0; early < 3; early++) {
            answer(calls.get(early), waking);
            LockSupport.unpark(callers.get(early));
            callers.get(early).join();
        }
        calls.subList(3, CALLERS).forEach(call -> answer(call, waking));
        waking.begin();

        await().untilAsserted(() -> assertThat(callers).noneMatch(Thread::isAlive));
    }

    @Test
    void aCallIsAnsweredOnce() {
        calls.forEach(call -> call.fail(new IllegalStateException("first"), new CallerWakeUp(calls)));
        CallerWakeUp waking = new CallerWakeUp(calls);
        calls.forEach(call -> call.fail(new IllegalStateException("second"), waking));
        waking.begin();

        await().untilAsserted(() -> assertThat(received).hasSize(CALLERS).containsOnly("first"));
    }
}
