package dev.exactlyonce.config;

import dev.exactlyonce.sender.Forwarding;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.util.Optional;

/**
 * The sending side's configuration, checked; with no endpoint there is nothing to send.
 *
 * @param forwarding the sources that are relayed
 * @param dataSource the JNDI name of the outbox's data source; empty: its file is used
 * @param sqlite the outbox's file; empty with a data source, and without endpoints
 */
public record SenderConfiguration(
        SenderSettings settings, Forwarding forwarding, Optional<String> dataSource, Optional<SqliteSettings> sqlite) {
    public boolean isUsed() {
        return !settings.endpoints().isEmpty();
    }
}
