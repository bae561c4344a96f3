package dev.exactlyonce.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GroupCommitTest {
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final Duration IMPATIENT = Duration.ofMillis(500);

    /** Time enough to come to the commit, on a busy machine too. */
    private static final Duration SOON = Duration.ofSeconds(5);

    private final AtomicInteger openings = new AtomicInteger();
    private final List<Thread> callers = new ArrayList<>();
    private final CountDownLatch writerIsBusy = new CountDownLatch(1);
    private final CountDownLatch letWriterGo = new CountDownLatch(1);

    @TempDir
    Path folder;

    private static final class AwayException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        AwayException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private GroupCommit<Notes> writer(Duration timeout) {
        return new GroupCommit<>(
                "notes",
                () -> {
                    openings.incrementAndGet();
                    return new Notes(new SqliteSettings(folder.resolve("notes.db"), PATIENT));
                },
                timeout,
                AwayException::new);
    }

    private boolean occupy(Notes notes, String text) throws SQLException {
        writerIsBusy.countDown();
        try {
            letWriterGo.await();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
        return notes.add(text);
    }

    /** Makes the call on a thread of its own and comes back once it waits; what it answers or throws is added. */
    private void startCall(
            GroupCommit<Notes> writer, GroupCommit.TableOperation<Notes, ?> operation, List<Object> answers) {
        startCall(() -> writer.call(operation), answers);
    }

    private void startCall(Supplier<Object> call, List<Object> answers) {
        Thread caller = new Thread(() -> {
            Object answer;
            try {
                answer = call.get();
            } catch (AwayException e) {
                answer = e;
            }
            synchronized (answers) {
                answers.add(answer);
            }
        });
        caller.start();
        callers.add(caller);
        await().until(() ->
                caller.getState() == Thread.State.TIMED_WAITING || caller.getState() == Thread.State.TERMINATED);
    }

    private void joinCallers() throws InterruptedException {
        for (Thread caller : callers) {
            caller.join();
        }
    }

    @Test
    void anErrorFailsItsCommitAndTheWriterLivesOn() {
        try (GroupCommit<Notes> writer = writer(PATIENT)) {
            assertThatThrownBy(() -> writer.call(notes -> {
                        throw new OutOfMemoryError("made up");
                    }))
                    .isInstanceOf(AwayException.class)
                    .hasRootCauseInstanceOf(OutOfMemoryError.class);

            int level = writer.call(notes -> notes.file().synchronous());
            assertThat(level).isEqualTo(2);
            assertThat(openings).hasValue(2);
        }
    }

    @Test
    void anErrorOutsideACommitLeavesNoCallerWaitingAndTheWriterLivesOn() throws Exception {
        AtomicBoolean fails = new AtomicBoolean();
        Notes notes = new Notes(new SqliteSettings(folder.resolve("notes.db"), PATIENT));
        Table failing = () -> {
            if (fails.get()) {
                throw new StackOverflowError("while the file is closed, too");
            }
            return notes.file();
        };
        try (GroupCommit<Table> writer = new GroupCommit<>("notes", () -> failing, PATIENT, AwayException::new)) {
            assertThat(writer.<Boolean>call(table -> true)).isTrue();
            fails.set(true);
            assertThatThrownBy(() -> writer.call(table -> true)).isInstanceOf(AwayException.class);
            fails.set(false);
            assertThat(writer.<Boolean>call(table -> true)).isTrue();
        }
    }

    @Test
    void callersThatGaveUpDoNotLeaveTheOthersOfTheirCommitAsleep() throws Exception {
        List<Object> answers = new ArrayList<>();
        List<Object> givenUp = Collections.synchronizedList(new ArrayList<>());
        try (GroupCommit<Notes> writer = writer(Duration.ofDays(1))) {
            startCall(writer, notes -> notes.add("opens the file"), answers);
            startCall(writer, notes -> occupy(notes, "busy"), answers);
            writerIsBusy.await();
            CountDownLatch began = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            for (int i = 0; i < 3; i++) {
                String text = "impatient " + i;
                GroupCommit.TableOperation<Notes, Boolean> operation = notes -> {
                    began.countDown();
                    return passes(goOn) && notes.add(text);
                };
                startCall(() -> writer.call(operation, SOON), givenUp);
            }
            for (int i = 0; i < 5; i++) {
                String text = "patient " + i;
                startCall(writer, notes -> notes.add(text), answers);
            }
            letWriterGo.countDown();
            began.await();
            await().until(() -> givenUp.size() == 3);
            goOn.countDown();
            joinCallers();

            assertThat(givenUp).hasOnlyElementsOfType(AwayException.class);
            assertThat(answers).hasSize(7).containsOnly(true);
        }
    }

    private static boolean passes(CountDownLatch gate) throws SQLException {
        try {
            gate.await();
            return true;
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
    }

    @Test
    void anOperationFailsWithEveryOtherOneOfItsCommitAndIsNotApplied() throws Exception {
        List<Object> first = new ArrayList<>();
        List<Object> together = new ArrayList<>();
        try (GroupCommit<Notes> writer = writer(PATIENT)) {
            startCall(writer, notes -> occupy(notes, "first"), first);
            writerIsBusy.await();
            startCall(writer, notes -> notes.add("mine"), together);
            startCall(
                    writer,
                    notes -> {
                        throw new SQLException("made up");
                    },
                    together);
            letWriterGo.countDown();
            joinCallers();

            assertThat(first).containsOnly(true);
            assertThat(together).hasSize(2).hasOnlyElementsOfType(AwayException.class);
            boolean applied = writer.call(notes -> notes.remove("mine"));
            assertThat(applied).isFalse();
        }
    }

    @Test
    void aCallWhoseCallerStoppedWaitingIsNotBegunAnyMore() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        List<Object> first = new ArrayList<>();
        try (GroupCommit<Notes> writer = writer(IMPATIENT)) {
            startCall(writer, notes -> occupy(notes, "first"), first);
            writerIsBusy.await();
            assertThatThrownBy(() -> writer.call(notes -> begun.incrementAndGet()))
                    .isInstanceOf(AwayException.class)
                    .hasMessage("the SQLite file did not answer in time");
            letWriterGo.countDown();
            joinCallers();

            await().ignoreExceptionsInstanceOf(AwayException.class)
                    .until(() -> writer.call(notes -> notes.file().synchronous()) == 2);
            assertThat(begun).hasValue(0);
        }
    }

    @Test
    void aCallThatRanOutOfTimeWhileItRanMayBeAppliedAndIsToldAsUnavailable() throws Exception {
        List<Object> answers = new ArrayList<>();
        try (GroupCommit<Notes> writer = writer(IMPATIENT)) {
            startCall(writer, notes -> occupy(notes, "slow"), answers);
            joinCallers();
            letWriterGo.countDown();

            assertThat(answers).hasOnlyElementsOfType(AwayException.class);
            await().ignoreExceptionsInstanceOf(AwayException.class)
                    .until(() -> writer.call(notes -> notes.remove("slow")));
        }
    }

    @Test
    void aLogThatWasRemovedUnderTheWriterIsNoticed() throws Exception {
        try (GroupCommit<Notes> writer = writer(PATIENT)) {
            writer.call(notes -> notes.add("before"));
            Files.delete(folder.resolve("notes.db-wal"));

            await().until(() -> {
                writer.call(notes -> true);
                return openings.get() > 1;
            });
            writer.call(notes -> notes.add("after"));
        }
        try (GroupCommit<Notes> next = writer(PATIENT)) {
            boolean isMissing = next.call(notes -> notes.add("after"));
            assertThat(isMissing).isFalse();
        }
    }

    @Test
    void whatWaitsAtTheCloseIsStillCommitted() throws Exception {
        List<Object> answers = new ArrayList<>();
        GroupCommit<Notes> writer = writer(PATIENT);
        startCall(writer, notes -> occupy(notes, "first"), answers);
        writerIsBusy.await();
        startCall(writer, notes -> notes.add("last"), answers);
        Thread closing = new Thread(writer::close);
        closing.start();
        letWriterGo.countDown();
        closing.join();
        joinCallers();

        assertThat(answers).hasSize(2).containsOnly(true);
        try (GroupCommit<Notes> next = writer(PATIENT)) {
            boolean applied = next.call(notes -> notes.remove("last"));
            assertThat(applied).isTrue();
        }
    }
}
