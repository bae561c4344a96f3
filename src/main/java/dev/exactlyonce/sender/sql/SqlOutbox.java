package dev.exactlyonce.sender.sql;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.sql.DataSourceTransactionRunner;
import dev.exactlyonce.sql.SchemaScript;
import dev.exactlyonce.sql.TransactionRunner;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * Keeps events in a SQL database: the tables {@code exactly_once_outbox} and {@code exactly_once_endpoint}. Opens nothing
 * yet: the first operation does, and makes the tables. Thread-safe.
 */
public final class SqlOutbox implements Outbox {
    private final TransactionRunner transactions;

    private SqlOutbox(TransactionRunner transactions) {
        this.transactions = transactions;
    }

    /**
     * In a file of its own: WAL, {@code synchronous=FULL}, and callers that wait together share a flush of the disk. It may
     * be shared by processes of one machine, never over a network. No transaction of a caller is joined.
     *
     * <p>Its times are the file's own: setting the machine's wall clock ends no lease and makes no event due.
     */
    public static SqlOutbox sqlite(SqliteSettings settings, MachineClocks machine) {
        return new SqlOutbox(new SqliteTransactionRunner(settings, machine));
    }

    /** The same, on a machine whose wall clock is never set. */
    public static SqlOutbox sqlite(SqliteSettings settings, InstantSource clock) {
        return sqlite(settings, MachineClocks.following(clock));
    }

    /** As {@link #postgres(DataSource, BooleanSupplier)}, where no transaction is ever joined. */
    public static SqlOutbox postgres(DataSource source) {
        return postgres(source, () -> false);
    }

    /**
     * In a PostgreSQL 10 or later that replicas share; times are by its clock. Tables that are not there are made, which
     * needs a role that may; {@code outbox-postgresql.sql} beside this class makes them by hand. How long an operation waits
     * for the network is the pool's affair: set its {@code socketTimeout}. The transactions are READ COMMITTED, the
     * database's default.
     *
     * @param source gives connections that take part in the calling thread's transaction, if there is one; stays open
     * @param isInTransaction whether the calling thread is inside such a transaction: then an event counts when it commits,
     *     and every operation but {@code enqueue} runs on another thread, in a transaction of its own
     */
    public static SqlOutbox postgres(DataSource source, BooleanSupplier isInTransaction) {
        return new SqlOutbox(new DataSourceTransactionRunner(
                source, isInTransaction, schema("outbox-postgresql.sql"), SqlOutbox::unavailable));
    }

    static SchemaScript schema(String script) {
        return SchemaScript.read(SqlOutbox.class, script, List.of("exactly_once_outbox", "exactly_once_endpoint"));
    }

    /** Without the cause, whose text may contain an address or a row; with the SQL state. */
    private static OutboxUnavailableException unavailable(SQLException e) {
        return new OutboxUnavailableException("the outbox's database failed, SQLState " + e.getSQLState());
    }

    @Override
    public Enqueued enqueue(OutgoingEvent event, Optional<Duration> lease) {
        String headers = Columns.headers(event.headers());
        String owner = freshOwner();
        return transactions.joined(session -> new EventRows(session).insert(event, headers, owner, lease));
    }

    @Override
    public Set<String> due() {
        return transactions.own(session -> new EventRows(session).dueEndpoints());
    }

    @Override
    public List<ClaimedEvent> claim(String endpoint, int most, Duration lease) {
        String owner = freshOwner();
        return transactions.own(session -> new ClaimedRows(session).claim(endpoint, most, owner, lease));
    }

    @Override
    public boolean renew(ClaimedEvent event, Duration lease) {
        return transactions.own(session -> new ClaimedRows(session).renew(event, lease));
    }

    @Override
    public List<Boolean> settle(List<AttemptResult> results) {
        return transactions.own(session -> new ResultRows(session).settle(results));
    }

    @Override
    public void disable(String endpoint, String reason) {
        transactions.own(session -> new EndpointRows(session).disable(endpoint, reason));
    }

    @Override
    public boolean enable(String endpoint) {
        return transactions.own(session -> new EndpointRows(session).enable(endpoint));
    }

    @Override
    public Map<String, String> disabled() {
        return transactions.own(session -> new EndpointRows(session).disabled());
    }

    /** @throws IllegalArgumentException when {@code after} is not an entry's id */
    @Override
    public List<DeadLetter> list(DeadLetters.Filter filter) {
        long after = filter.after()
                .map(it ->
                        id(it).orElseThrow(() -> new IllegalArgumentException("after is not the id of a dead letter")))
                .orElse(0L);
        return transactions.own(session -> new DeadRows(session).list(filter, after));
    }

    @Override
    public Optional<DeadLetter> get(String id) {
        OptionalLong row = id(id);
        return row.isEmpty()
                ? Optional.empty()
                : transactions.own(session -> new DeadRows(session).get(row.getAsLong()));
    }

    @Override
    public DeadLetters.Replay replay(String id, Optional<Duration> window) {
        OptionalLong row = id(id);
        return row.isEmpty()
                ? DeadLetters.Replay.UNKNOWN
                : transactions.own(session -> new DeadRows(session).replay(row.getAsLong(), window));
    }

    @Override
    public boolean discard(String id) {
        OptionalLong row = id(id);
        return row.isPresent() && transactions.own(session -> new DeadRows(session).discard(row.getAsLong()));
    }

    @Override
    public boolean moved(DeadLetter letter) {
        OptionalLong row = id(letter.id());
        return row.isPresent()
                && transactions.own(session -> new DeadRows(session).moved(row.getAsLong(), letter.since()));
    }

    @Override
    public DeadLetters.Replay restore(DeadLetter letter, Optional<Duration> window) {
        return transactions.own(session -> new DeadRows(session).restore(letter, window));
    }

    @Override
    public long countUndeclared(Collection<String> endpoints) {
        return transactions.own(session -> new EventRows(session).countUndeclared(endpoints));
    }

    @Override
    public int purge(Duration retention, int most) {
        return transactions.own(session -> new EventRows(session).purge(retention, most));
    }

    private static String freshOwner() {
        return UUID.randomUUID().toString();
    }

    /** Empty for what cannot be a row's. */
    private static OptionalLong id(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public void close() {
        transactions.close();
    }
}
