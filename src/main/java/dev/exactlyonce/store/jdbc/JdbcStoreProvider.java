package dev.exactlyonce.store.jdbc;

import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.OutageDescription;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import dev.exactlyonce.spi.SettingValues;
import dev.exactlyonce.spi.StoreContext;
import dev.exactlyonce.spi.StoreProvider;
import dev.exactlyonce.spi.StoreValidation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** The store {@code jdbc}: a table in a database of the server, shared by all replicas. */
public final class JdbcStoreProvider implements StoreProvider {
    private static final String NAMESPACE = "exactlyonce.jdbc.";
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(10);
    private static final Duration MOST_TIMEOUT = Duration.ofSeconds(60);

    static final SettingDefinition<String> DATA_SOURCE = SettingDefinition.optional(
            NAMESPACE + "data-source",
            SettingType.text(
                    "the JNDI name of a `DataSource` of PostgreSQL, such as `jdbc/shop`",
                    Pattern.compile("[A-Za-z][A-Za-z0-9_./:-]*")),
            "The database. Required with `exactlyonce.store=jdbc`.");

    static final SettingDefinition<String> TABLE = SettingDefinition.of(
            NAMESPACE + "table",
            SettingType.text(
                    "1 to 40 lower-case letters, digits and `_`, a letter first",
                    Pattern.compile("[a-z][a-z0-9_]{0,39}")),
            "exactly_once",
            "The table of the keys. Its sequence is `<table>_fence`, its index `<table>_expires_at`.");

    static final SettingDefinition<SchemaPolicy> SCHEMA = SettingDefinition.of(
            NAMESPACE + "schema",
            SettingType.choice(SchemaPolicy.class),
            SchemaPolicy.CREATE,
            "Whether the store makes the table where it is missing, only checks that it is as needed, or does neither.");

    static final SettingDefinition<Duration> WAIT = SettingDefinition.of(
            NAMESPACE + "wait",
            SettingType.duration(Duration.ofMillis(1), MOST_TIMEOUT),
            Duration.ofMillis(500),
            "How long a copy of a delivery waits for the transaction of the first one before it is answered as in flight."
                    + " For sources with `mode=transactional`.");

    static final SettingDefinition<Duration> TIMEOUT = SettingDefinition.of(
            NAMESPACE + "timeout",
            SettingType.duration(LEAST_TIMEOUT, MOST_TIMEOUT),
            DEFAULT_TIMEOUT,
            "How long an operation may take, including the wait for a connection of the pool, before the database counts as"
                    + " unavailable.");

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public List<SettingDefinition<?>> settings() {
        return List.of(DATA_SOURCE, TABLE, SCHEMA, WAIT, TIMEOUT);
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Duration timeout(SettingValues values) {
        return values.get(TIMEOUT);
    }

    @Override
    public OutageDescription outage() {
        return new OutageDescription(
                "jdbc idempotency store unreachable at runtime (dedup best-effort until it recovers)",
                "check the database, the connection pool and the table of " + TABLE.name()
                        + "; the log names the cause");
    }

    @Override
    public OutageDescription absenceAtStartup() {
        return new OutageDescription(
                "jdbc idempotency store not available (running per-replica)",
                "check the database and the exactlyonce.jdbc settings; the connection is retried every 5 s");
    }

    @Override
    public void validate(StoreValidation validation) {
        if (!validation.isChosen() || validation.hasFault(DATA_SOURCE)) {
            return;
        }
        Optional<String> name = validation.find(DATA_SOURCE);
        if (name.isEmpty()) {
            validation.fault(
                    DATA_SOURCE,
                    "is not set, and exactlyonce.store=jdbc needs it; allowed: "
                            + DATA_SOURCE.type().allowedValues());
        } else if (lookUp(name.get()).isEmpty()) {
            validation.fault(
                    DATA_SOURCE,
                    "'" + name.get() + "' is not the name of a DataSource that this application can look up");
        }
    }

    @SuppressWarnings("BanJNDI") // a name of the configuration, of the characters that a JNDI name of the server has
    private static Optional<DataSource> lookUp(String name) {
        try {
            return new InitialContext().lookup(name) instanceof DataSource found
                    ? Optional.of(found)
                    : Optional.empty();
        } catch (NamingException missing) {
            return Optional.empty();
        }
    }

    @Override
    public IdempotencyStore open(SettingValues values, StoreContext context) {
        DataSource source = lookUp(values.get(DATA_SOURCE))
                .orElseThrow(
                        () -> new IllegalStateException("the DataSource was there when the application was deployed"));
        return new JdbcStore(source, values.get(TABLE), values.get(SCHEMA), values.get(WAIT), values.get(TIMEOUT));
    }
}
