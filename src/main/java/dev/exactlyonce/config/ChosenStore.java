package dev.exactlyonce.config;

import dev.exactlyonce.spi.SettingValues;
import dev.exactlyonce.spi.StoreProvider;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.util.Optional;

/**
 * The store that the application has chosen.
 *
 * @param values of the provider's settings
 * @param sqliteFile the file of the store sqlite, or of the fallback of a shared store; empty for another store, and where
 *     this server cannot keep the default file of a fallback
 */
public record ChosenStore(StoreProvider provider, SettingValues values, Optional<SqliteSettings> sqliteFile) {
    /** The value of {@code exactlyonce.store}. */
    public String name() {
        return provider.name();
    }
}
