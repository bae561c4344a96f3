package dev.exactlyonce.config;

import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.Sources;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.store.redis.RedisSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** Reads and checks the whole configuration. */
public final class SettingsReader {
    private static final Duration MAX_HOLD = Duration.ofDays(365);
    private static final Set<String> STORES_TO_COME = Set.of("jdbc");

    private final Config config;
    private final Values values;
    private final RedisClientCheck client;
    private final String application;
    private final InstantSource clock;

    /**
     * Of the application that deploys now.
     *
     * @param application its name
     */
    public static SettingsReader ofThisApplication(String application) {
        return new SettingsReader(
                ConfigProvider.getConfig(), application, RedisClientCheck.OF_THE_STORE, InstantSource.system());
    }

    SettingsReader(Config config, String application, RedisClientCheck client, InstantSource clock) {
        this.clock = clock;
        this.config = config;
        this.values = new Values(config);
        this.client = client;
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
        Set<String> names = new TreeSet<>(literals);
        names.addAll(declared());
        refuseUnknownNames(names);

        Settings.Store store = store();
        RedisSettings redis = new RedisSettingsReader(values, client).read(store == Settings.Store.REDIS);
        Map<String, SourceSettings> sources = new LinkedHashMap<>();
        SourceReader reader = new SourceReader(values, defaults(), clock);
        names.forEach(name -> sources.put(name, reader.read(name)));
        Settings settings = new Settings(
                application,
                store,
                switch (store) {
                    case SQLITE -> sqlite(true, SqliteSettings.DEFAULT_TIMEOUT);
                    case REDIS -> sqlite(false, redis.timeout());
                    case MEMORY -> Optional.empty();
                },
                Optional.of(redis).filter(it -> store == Settings.Store.REDIS),
                values.duration(Setting.MAX_HOLD, Duration.ofHours(1), Duration.ofSeconds(1), MAX_HOLD),
                values.integer(Setting.REMEMBER, 100_000, 10_000_000),
                values.bool(Setting.DOWN_WHEN_DEGRADED, false),
                new Sources(sources),
                values.warnings());
        return new Reading(settings, List.copyOf(values.problems()));
    }

    private Set<String> declared() {
        return values.read(Setting.SOURCES, Set.of(), text -> {
            Set<String> names =
                    Arrays.stream(text.split(",")).map(String::strip).collect(Collectors.toCollection(TreeSet::new));
            for (String name : names) {
                if (!Sources.isName(name)) {
                    throw Values.notAllowed(name, Setting.SOURCES.allowed());
                }
            }
            return names;
        });
    }

    private void refuseUnknownNames(Set<String> sources) {
        Set<String> known = Setting.names(sources).map(Setting::folded).collect(Collectors.toSet());
        Setting.NOT_YET.forEach(name -> values.text(name)
                .ifPresent(value -> values.problem(name, "not available yet in this version; remove it")));
        for (String name : new TreeSet<>(names())) {
            if (name.startsWith(Setting.PREFIX) && !known.contains(Setting.folded(name))) {
                values.problem(
                        name,
                        name.startsWith(Setting.SOURCE_PREFIX)
                                ? "unknown setting, or its source is not declared; declared: "
                                        + String.join(", ", sources) + " (see exactlyonce.sources)"
                                : "unknown setting; the nearest known one is " + nearest(name));
            }
        }
    }

    private static String nearest(String name) {
        return Setting.names(List.of())
                .min(Comparator.comparingInt(known -> Spelling.distance(name, known)))
                .orElseThrow();
    }

    private Set<String> names() {
        Set<String> names = new HashSet<>();
        config.getPropertyNames().forEach(names::add);
        return names;
    }

    private Settings.Store store() {
        String allowed =
                Arrays.stream(Settings.Store.values()).map(Settings.Store::word).collect(Collectors.joining(", "));
        return values.read(Setting.STORE, Settings.Store.SQLITE, text -> {
            if (STORES_TO_COME.contains(text)) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not available yet in this version; allowed: " + allowed);
            }
            return Arrays.stream(Settings.Store.values())
                    .filter(it -> it.word().equals(text))
                    .findFirst()
                    .orElseThrow(() -> Values.notAllowed(text, allowed));
        });
    }

    /** @param needed whether a fault of the path that nobody chose is one: a container may have nowhere to write */
    private Optional<SqliteSettings> sqlite(boolean needed, Duration timeout) {
        Optional<String> chosen = values.text(Setting.SQLITE_PATH);
        try {
            return Optional.of(new SqliteSettings(
                    Path.of(chosen.orElse("exactly-once-" + application.replaceAll("[^A-Za-z0-9._-]", "_") + ".db")),
                    timeout));
        } catch (InvalidPathException e) {
            values.problem(Setting.SQLITE_PATH, "is no path of this system");
        } catch (IllegalArgumentException e) {
            if (needed || chosen.isPresent()) {
                values.problem(Setting.SQLITE_PATH, e.getMessage() + "; allowed: " + Setting.SQLITE_PATH.allowed());
            }
        }
        return Optional.empty();
    }

    private SourceReader.Defaults defaults() {
        return new SourceReader.Defaults(
                values.duration(Setting.LEASE, Duration.ofMinutes(15), SourcePolicy.SHORTEST, SourcePolicy.MAX_LEASE),
                SourceReader.ttl(values, Setting.TTL, Duration.ofHours(24)),
                values.choice(Setting.ON_OUTAGE, OnOutage.ADMIT),
                values.integer(Setting.MAX_BODY_SIZE, 1 << 20, SourcePolicy.MAX_BODY_SIZE));
    }
}
