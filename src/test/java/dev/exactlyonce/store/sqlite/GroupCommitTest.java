package dev.exactlyonce.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.admission.Claim;
import dev.exactlyonce.admission.DeliveryKey;
import dev.exactlyonce.admission.Fingerprint;
import dev.exactlyonce.admission.Reservation;
import dev.exactlyonce.admission.SettableClock;
import dev.exactlyonce.admission.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GroupCommitTest {
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final Duration IMPATIENT = Duration.ofMillis(500);

    private final SettableClock clock = new SettableClock();
    private final AtomicInteger openings = new AtomicInteger();
    private final List<Thread> callers = new ArrayList<>();
    private final CountDownLatch writerIsBusy = new CountDownLatch(1);
    private final CountDownLatch letWriterGo = new CountDownLatch(1);

    @TempDir
    Path folder;

    private GroupCommit writer(Duration timeout) {
        return new GroupCommit(
                () -> {
                    openings.incrementAndGet();
                    return new SqliteTable(new SqliteSettings(folder.resolve("keys.db"), PATIENT), clock);
                },
                timeout);
    }

    private static Claim claim(String part) {
        return Claim.fresh(
                DeliveryKey.of("github", "POST /hooks", List.of(part)), Fingerprint.NONE, Duration.ofSeconds(30));
    }

    private Reservation occupy(SqliteTable table, Claim claim) throws SQLException {
        writerIsBusy.countDown();
        try {
            letWriterGo.await();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
        return table.reserve(KeyedClaim.of(claim));
    }

    /** Makes the call on a thread of its own and comes back once it waits; what it answers or throws is added. */
    private void startCall(GroupCommit writer, GroupCommit.Operation<?> operation, List<Object> answers) {
        Thread caller = new Thread(() -> {
            Object answer;
            try {
                answer = writer.call(operation);
            } catch (StoreUnavailableException e) {
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
        try (GroupCommit writer = writer(PATIENT)) {
            assertThatThrownBy(() -> writer.call(table -> {
                        throw new OutOfMemoryError("made up");
                    }))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasRootCauseInstanceOf(OutOfMemoryError.class);

            assertThat(writer.call(SqliteTable::synchronous)).isEqualTo(2);
            assertThat(openings).hasValue(2);
        }
    }

    @Test
    void anOperationFailsWithEveryOtherOneOfItsCommitAndIsNotApplied() throws Exception {
        Claim mine = claim("mine");
        List<Object> first = new ArrayList<>();
        List<Object> together = new ArrayList<>();
        try (GroupCommit writer = writer(PATIENT)) {
            startCall(writer, table -> occupy(table, claim("first")), first);
            writerIsBusy.await();
            startCall(writer, table -> table.reserve(KeyedClaim.of(mine)), together);
            startCall(
                    writer,
                    table -> {
                        throw new SQLException("made up");
                    },
                    together);
            letWriterGo.countDown();
            joinCallers();

            assertThat(first).hasOnlyElementsOfType(Reservation.Granted.class);
            assertThat(together).hasSize(2).hasOnlyElementsOfType(StoreUnavailableException.class);
            boolean applied = writer.call(table -> table.release(KeyedClaim.of(mine)));
            assertThat(applied).isFalse();
        }
    }

    @Test
    void aCallWhoseCallerStoppedWaitingIsNotBegunAnyMore() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        List<Object> first = new ArrayList<>();
        try (GroupCommit writer = writer(IMPATIENT)) {
            startCall(writer, table -> occupy(table, claim("first")), first);
            writerIsBusy.await();
            assertThatThrownBy(() -> writer.call(table -> begun.incrementAndGet()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessage("the SQLite file did not answer in time");
            letWriterGo.countDown();
            joinCallers();

            await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                    .until(() -> writer.call(SqliteTable::synchronous) == 2);
            assertThat(begun).hasValue(0);
        }
    }

    @Test
    void aCallThatRanOutOfTimeWhileItRanMayBeAppliedAndIsToldAsUnavailable() throws Exception {
        Claim slow = claim("slow");
        List<Object> answers = new ArrayList<>();
        try (GroupCommit writer = writer(IMPATIENT)) {
            startCall(writer, table -> occupy(table, slow), answers);
            joinCallers();
            letWriterGo.countDown();

            assertThat(answers).hasOnlyElementsOfType(StoreUnavailableException.class);
            await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                    .until(() -> writer.call(table -> table.release(KeyedClaim.of(slow))));
        }
    }

    @Test
    void aLogThatWasRemovedUnderTheWriterIsNoticed() throws Exception {
        Claim before = claim("before");
        Claim after = claim("after");
        try (GroupCommit writer = writer(PATIENT)) {
            writer.call(table -> table.reserve(KeyedClaim.of(before)));
            Files.delete(folder.resolve("keys.db-wal"));

            await().until(() -> {
                writer.call(table -> true);
                return openings.get() > 1;
            });
            writer.call(table -> table.reserve(KeyedClaim.of(after)));
        }
        try (GroupCommit next = writer(PATIENT)) {
            Reservation again = next.call(table -> table.reserve(KeyedClaim.of(claim("after"))));
            assertThat(again).isInstanceOf(Reservation.InFlight.class);
        }
    }

    @Test
    void whatWaitsAtTheCloseIsStillCommitted() throws Exception {
        Claim last = claim("last");
        List<Object> answers = new ArrayList<>();
        GroupCommit writer = writer(PATIENT);
        startCall(writer, table -> occupy(table, claim("first")), answers);
        writerIsBusy.await();
        startCall(writer, table -> table.reserve(KeyedClaim.of(last)), answers);
        Thread closing = new Thread(writer::close);
        closing.start();
        letWriterGo.countDown();
        closing.join();
        joinCallers();

        assertThat(answers).hasSize(2).hasOnlyElementsOfType(Reservation.Granted.class);
        try (GroupCommit next = writer(PATIENT)) {
            boolean applied = next.call(table -> table.release(KeyedClaim.of(last)));
            assertThat(applied).isTrue();
        }
    }
}
