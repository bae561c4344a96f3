package dev.exactlyonce.sender.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.spi.EventQueue.Enqueued;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.testkit.Together;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostgresOutboxTest extends OutboxContract {
    private Postgres postgres;

    @BeforeEach
    @Override
    void openIt() {
        try {
            postgres = Postgres.fresh();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        super.openIt();
    }

    @Override
    Outbox open() {
        return SqlOutbox.postgres(postgres.source());
    }

    @Override
    Instant now() {
        return postgres.now();
    }

    @Override
    void letPass(Duration time) throws SQLException {
        postgres.advance(time);
    }

    @Override
    Connection connect() throws SQLException {
        return postgres.source().getConnection();
    }

    private static Outbox joining(CallersTransaction transaction) {
        return SqlOutbox.postgres(transaction.enlisting(), transaction::isOfThisThread);
    }

    @Test
    void anEventOfATransactionThatRollsBackWasNeverThere() throws Exception {
        try (CallersTransaction transaction = new CallersTransaction(postgres.source());
                Outbox joining = joining(transaction)) {
            assertThat(joining.enqueue(event("crm", "k"), Optional.of(LEASE))).isInstanceOf(Enqueued.Claimed.class);
            assertThat(joining.enqueue(event("crm", "k"), Optional.of(LEASE))).isInstanceOf(Enqueued.Known.class);
            transaction.connection().rollback();
        }

        assertThat(count("SELECT count(*) FROM exactly_once_outbox")).isZero();
        putWaiting("k");
    }

    @Test
    void anEventOfATransactionIsThereWhenItCommits() throws Exception {
        try (CallersTransaction transaction = new CallersTransaction(postgres.source());
                Outbox joining = joining(transaction)) {
            joining.enqueue(event("crm", "k"), Optional.empty());
            assertThat(outbox.due()).isEmpty();
            transaction.connection().commit();
        }

        assertThat(outbox.due()).containsExactly("crm");
    }

    @Test
    void aKnownKeyDoesNotSpoilTheCallersTransaction() throws Exception {
        putWaiting("known");
        try (CallersTransaction transaction = new CallersTransaction(postgres.source());
                Outbox joining = joining(transaction)) {
            assertThat(joining.enqueue(event("crm", "known"), Optional.empty())).isInstanceOf(Enqueued.Known.class);
            joining.enqueue(event("crm", "fresh"), Optional.empty());
            transaction.connection().commit();
        }

        assertThat(outbox.claim("crm", 10, LEASE)).hasSize(2);
    }

    @Test
    void allButEnqueueHasATransactionOfItsOwnInsideACallers() throws Exception {
        try (CallersTransaction transaction = new CallersTransaction(postgres.source());
                Outbox joining = joining(transaction)) {
            putWaiting("k");
            joining.disable("crm", "410");
            assertThat(joining.claim("crm", 10, LEASE)).hasSize(1);
            transaction.connection().rollback();
        }

        assertThat(outbox.due()).isEmpty();
        assertThat(outbox.disabled()).isEqualTo(Map.of("crm", "410"));
    }

    @Test
    void aFailureInsideACallersTransactionIsReportedFromTheOtherThread() throws Exception {
        try (CallersTransaction transaction = new CallersTransaction(postgres.source());
                Outbox joining = joining(transaction)) {
            joining.due();
            postgres.execute("DROP TABLE exactly_once_outbox");
            assertThatThrownBy(joining::due)
                    .isInstanceOf(OutboxUnavailableException.class)
                    .hasMessageContaining("42P01");
        }
    }

    @Test
    void replicasThatStartTogetherAllComeUp() throws Exception {
        for (int round = 0; round < 5; round++) {
            Postgres.fresh();
            Together.run(4, thread -> {
                try (Outbox one = open()) {
                    return one.enqueue(event("crm", "k" + thread), Optional.empty());
                }
            });
            assertThat(count("SELECT count(*) FROM exactly_once_outbox")).isEqualTo(4);
        }
    }

    @Test
    void aRoleThatMayMakeNoTablesUsesThoseThatAreThere() throws Exception {
        Outbox clerks = SqlOutbox.postgres(postgres.sourceOfAClerk());
        assertThatThrownBy(clerks::due)
                .isInstanceOf(OutboxUnavailableException.class)
                .hasMessageContaining("42501");
        outbox.due();
        postgres.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON exactly_once_outbox, exactly_once_endpoint TO clerk");

        assertThat(clerks.enqueue(event("crm", "k"), Optional.empty())).isInstanceOf(Enqueued.Waiting.class);
        assertThat(clerks.claim("crm", 1, LEASE)).hasSize(1);
    }

    @Test
    void aDatabaseThatIsNotThereIsUnavailableAndItsAddressIsNotShown() {
        Outbox away = SqlOutbox.postgres(postgres.sourceOfNoDatabase());

        assertThatThrownBy(away::due)
                .isInstanceOf(OutboxUnavailableException.class)
                .hasMessage("the outbox's database failed, SQLState 3D000")
                .hasNoCause();
    }

    @Test
    void aRowThatAnotherTransactionHoldsIsNotWaitedFor() throws Exception {
        putWaiting("held");
        putWaiting("free");
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeQuery("SELECT 1 FROM exactly_once_outbox WHERE event_key = 'held' FOR UPDATE");

            assertThat(outbox.claim("crm", 10, LEASE))
                    .extracting(it -> it.event().key().value())
                    .containsExactly("free");
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }
}
