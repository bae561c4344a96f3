package dev.exactlyonce.example;

import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.OutageDescription;
import dev.exactlyonce.spi.RequiredLibrary;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import dev.exactlyonce.spi.SettingValues;
import dev.exactlyonce.spi.StoreContext;
import dev.exactlyonce.spi.StoreProvider;
import java.util.List;
import java.util.Optional;

/** A store of somebody else's: {@code exactlyonce.store=example} keeps the keys in H2. */
public final class ExampleStoreProvider implements StoreProvider {
    static final SettingDefinition<String> URL = SettingDefinition.of(
            "exactlyonce.example.jdbc-url",
            SettingType.<String>of("a JDBC URL of H2", url -> Optional.of(url).filter(it -> it.startsWith("jdbc:h2:")))
                    .hidden(),
            "jdbc:h2:./exactly-once-example",
            "The database.");

    @Override
    public String name() {
        return "example";
    }

    @Override
    public List<SettingDefinition<?>> settings() {
        return List.of(URL);
    }

    @Override
    public List<RequiredLibrary> libraries() {
        return List.of(
                new RequiredLibrary("H2", "org.h2.jdbcx.JdbcConnectionPool", "com.h2database:h2", List.of("2.3.232")));
    }

    @Override
    public OutageDescription outage() {
        return new OutageDescription(
                "H2 unavailable (running in-memory)", "check the database; the log names the cause");
    }

    @Override
    public IdempotencyStore open(SettingValues values, StoreContext context) {
        return new ExampleStore(values.get(URL), context.clock());
    }
}
