package dev.exactlyonce.config;

import dev.exactlyonce.common.OptionalClasses;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.Sources;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** Reads and checks the whole configuration. */
public final class SettingsReader {
    private final ConfigNames names;
    private final ConfigReader values;
    private final StoreProviders stores;
    private final String application;
    private final InstantSource clock;

    /**
     * Of the application that deploys now.
     *
     * @param application its name
     */
    public static SettingsReader ofThisApplication(String application) {
        return new SettingsReader(
                ConfigProvider.getConfig(), application, StoreProviders.ofThisApplication(), InstantSource.system());
    }

    /** Whether this application declares endpoints, soundly or not; can be asked before beans are discovered. */
    public static boolean isAnythingSent() {
        return new ConfigReader(new ConfigNames(ConfigProvider.getConfig())).isSet(SendingSettings.ENDPOINTS);
    }

    /** Whether this application's turns are those of all replicas; can be asked before beans are discovered. */
    public static boolean areTurnsShared() {
        ConfigReader values = new ConfigReader(new ConfigNames(ConfigProvider.getConfig()));
        String store = values.find(GlobalSettings.STORE).orElse("");
        return TurnReader.backend(values, store) == TurnSettings.TurnBackend.REDIS;
    }

    SettingsReader(Config config, String application, StoreProviders stores, InstantSource clock) {
        this.clock = clock;
        this.names = new ConfigNames(config);
        this.values = new ConfigReader(names);
        this.stores = stores;
        this.application = application;
    }

    /**
     * What was read, and what is wrong with it: with any problem the settings must not be used.
     *
     * @param problems each names the property, the fault and what is allowed; never a secret
     */
    public record Reading(Settings settings, List<String> problems) {}

    /** @param literals the sources that annotations name */
    public Reading read(Set<String> literals) {
        Set<String> declared = new TreeSet<>(literals);
        declared.addAll(declared());
        SendingReader sender = new SendingReader(values, OptionalClasses::isPresent);
        Set<String> endpoints = sender.declared();
        NameCheck check = new NameCheck(declared, endpoints, stores.settingNames());
        names.know(check.known());
        check.report(names, values);

        StoreReader storeReader = new StoreReader(values, stores, application);
        ChosenStore store = storeReader.read();
        Map<String, SourceSettings> sources = new LinkedHashMap<>();
        SourceReader.Defaults defaults = defaults();
        SourceReader reader = new SourceReader(values, defaults, clock);
        declared.forEach(name -> sources.put(name, reader.read(name)));
        SenderConfiguration sending = sender.read(
                endpoints, largestBodies(sources), new SqliteReader(values, application, storeReader.fileSystem()));
        EngineSettings engine = new EngineSettings(
                values.get(GlobalSettings.MAX_HOLD),
                values.get(GlobalSettings.REMEMBER),
                values.get(GlobalSettings.DOWN_WHEN_DEGRADED),
                values.warnings());
        TurnConfiguration turns =
                new TurnReader(values, stores).read(store, storeReader.valuesOf("redis"), defaults.onOutage());
        Settings settings = new Settings(application, store, engine, new Sources(sources), sending, turns);
        if (store.sqliteFile().isPresent()
                && settings.sending()
                        .sqlite()
                        .filter(it -> it.isSameFileAs(store.sqliteFile().get()))
                        .isPresent()) {
            values.problem(
                    SendingSettings.SQLITE_PATH, "is the file of exactlyonce.sqlite.path, too; each needs its own");
        }
        return new Reading(settings, List.copyOf(values.problems()));
    }

    private Set<String> declared() {
        return values.find(GlobalSettings.SOURCES).orElse(Set.of());
    }

    private static Map<String, Integer> largestBodies(Map<String, SourceSettings> sources) {
        Map<String, Integer> largest = new LinkedHashMap<>();
        sources.forEach((name, it) -> largest.put(name, it.policy().maxBodySize()));
        return largest;
    }

    private SourceReader.Defaults defaults() {
        return new SourceReader.Defaults(
                values.get(GlobalSettings.LEASE),
                values.get(GlobalSettings.TTL),
                values.get(GlobalSettings.STRICT_TTL),
                values.get(GlobalSettings.ON_OUTAGE),
                values.get(GlobalSettings.MAX_BODY_SIZE));
    }
}
