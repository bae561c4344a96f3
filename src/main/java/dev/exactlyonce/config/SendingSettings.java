package dev.exactlyonce.config;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The settings of the sending side that are not those of one endpoint. */
final class SendingSettings {
    static final SettingDefinition<Set<String>> ENDPOINTS = SettingDefinition.optional(
            "exactlyonce.sender.endpoints",
            SettingTypes.names(Endpoint::isName),
            "The endpoints that events are sent to. With one, Apache HttpClient 5 must be in the application.");

    static final SettingDefinition<String> DATA_SOURCE = SettingDefinition.optional(
            "exactlyonce.sender.data-source",
            SettingType.text(
                    "the JNDI name of a `DataSource` of PostgreSQL, such as `jdbc/outbox`",
                    Pattern.compile("[A-Za-z0-9:/._-]{1,200}")),
            "Where the outbox is, instead of the file; `send` then takes part in the caller's JTA transaction.");

    static final SettingDefinition<String> SQLITE_PATH = SettingDefinition.optional(
                    "exactlyonce.sender.sqlite.path",
                    SettingType.text("a file in a folder that exists, on a local file system"),
                    "The outbox's file, relative to the server's working directory; not beside a data source.")
            .withDocumentedDefault("`exactly-once-sender-<application name>.db`");

    private static final SettingType<Duration> TIME =
            SettingType.duration(SenderSettings.SHORTEST, SenderSettings.LONGEST);

    static final SettingDefinition<Duration> REPLAY_WINDOW = SettingDefinition.of(
            "exactlyonce.sender.replay-window",
            TIME,
            SenderSettings.DEFAULT_REPLAY_WINDOW,
            "Since an event's first attempt: an older dead letter is replayed by force alone, since its receiver may have"
                    + " forgotten the key.");

    static final SettingDefinition<Duration> RETENTION = SettingDefinition.of(
            "exactlyonce.sender.retention",
            TIME,
            SenderSettings.DEFAULT_RETENTION,
            "How long the key of a delivered event stays known, so that it is not sent a second time.");

    static final List<SettingDefinition<?>> ALL =
            List.of(ENDPOINTS, DATA_SOURCE, SQLITE_PATH, REPLAY_WINDOW, RETENTION);

    private SendingSettings() {}
}
