package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.source.KeyExpressions;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.Sources;
import dev.exactlyonce.store.redis.RedisSettings;
import dev.exactlyonce.store.sqlite.SqliteSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
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
    private static final Set<String> DUPLICATES_TO_COME = Set.of("replay", "forward");

    private final Config config;
    private final Values values;
    private final RedisClientCheck client;
    private final String application;

    /**
     * Of the application that deploys now.
     *
     * @param application its name
     */
    public static SettingsReader ofThisApplication(String application) {
        return new SettingsReader(ConfigProvider.getConfig(), application, RedisClientCheck.OF_THE_STORE);
    }

    SettingsReader(Config config, String application, RedisClientCheck client) {
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
        Defaults defaults = defaults();
        names.forEach(name -> sources.put(name, source(name, defaults)));
        Settings settings = new Settings(
                application,
                store,
                switch (store) {
                    case SQLITE -> sqlite(true, SqliteSettings.DEFAULT_TIMEOUT);
                    case REDIS -> sqlite(false, redis.timeout());
                    case MEMORY -> Optional.empty();
                },
                Optional.of(redis).filter(it -> store == Settings.Store.REDIS),
                values.duration(
                        Setting.MAX_HOLD, Optional.empty(), Duration.ofHours(1), Duration.ofSeconds(1), MAX_HOLD),
                values.integer(Setting.REMEMBER, Optional.empty(), 100_000, 10_000_000),
                values.bool(Setting.DOWN_WHEN_DEGRADED, false),
                new Sources(sources));
        return new Reading(settings, List.copyOf(values.problems()));
    }

    private Set<String> declared() {
        return values.read(Setting.SOURCES, Optional.empty(), Set.of(), text -> {
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
        Set<String> notYet = new HashSet<>(Setting.NOT_YET);
        sources.forEach(source ->
                Setting.NOT_YET_OF_A_SOURCE.forEach(it -> notYet.add(Setting.SOURCE_PREFIX + source + "." + it)));
        notYet.forEach(name -> values.text(name)
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
        return values.read(Setting.STORE, Optional.empty(), Settings.Store.SQLITE, text -> {
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
        String name = Setting.SQLITE_PATH.name(Optional.empty());
        Optional<String> chosen = values.text(name);
        try {
            return Optional.of(new SqliteSettings(
                    Path.of(chosen.orElse("exactly-once-" + application.replaceAll("[^A-Za-z0-9._-]", "_") + ".db")),
                    timeout));
        } catch (InvalidPathException e) {
            values.problem(name, "is no path of this system");
        } catch (IllegalArgumentException e) {
            if (needed || chosen.isPresent()) {
                values.problem(name, e.getMessage() + "; allowed: " + Setting.SQLITE_PATH.allowed());
            }
        }
        return Optional.empty();
    }

    private record Defaults(Duration lease, Duration ttl, OnOutage onOutage, int maxBodySize) {}

    private Defaults defaults() {
        Optional<String> global = Optional.empty();
        return new Defaults(
                values.duration(
                        Setting.LEASE, global, Duration.ofMinutes(15), SourcePolicy.SHORTEST, SourcePolicy.MAX_LEASE),
                values.duration(Setting.TTL, global, Duration.ofHours(24), SourcePolicy.SHORTEST, SourcePolicy.MAX_TTL),
                values.choice(Setting.ON_OUTAGE, global, OnOutage.ADMIT),
                values.integer(Setting.MAX_BODY_SIZE, global, 1 << 20, SourcePolicy.MAX_BODY_SIZE));
    }

    private enum MissingKey {
        REJECT,
        BODY
    }

    private SourceSettings source(String name, Defaults defaults) {
        Optional<String> source = Optional.of(name);
        boolean bodyStandsIn = values.choice(Setting.SOURCE_MISSING_KEY, source, MissingKey.REJECT) == MissingKey.BODY;
        KeyExpressions byDefault = KeyExpressions.parse(KeyExpressions.DEFAULT, bodyStandsIn);
        KeyExpressions keys = values.read(
                Setting.SOURCE_KEY,
                source,
                byDefault,
                text -> KeyExpressions.parse(List.of(text.split("\\s+")), bodyStandsIn));
        values.read(Setting.SOURCE_DUPLICATE, source, "ack", text -> {
            if (DUPLICATES_TO_COME.contains(text)) {
                throw new IllegalArgumentException("'" + text + "' is not available yet in this version; allowed: ack");
            }
            if (!text.equals("ack")) {
                throw Values.notAllowed(text, "ack");
            }
            return text;
        });
        int inFlightStatus = values.read(Setting.SOURCE_IN_FLIGHT_STATUS, source, 409, text -> switch (text) {
            case "409", "425", "503" -> Integer.parseInt(text);
            default -> throw Values.notAllowed(text, Setting.SOURCE_IN_FLIGHT_STATUS.allowed());
        });
        return new SourceSettings(
                new SourcePolicy(
                        name,
                        keys,
                        DeliveryVerifier.NONE,
                        values.duration(
                                Setting.SOURCE_LEASE,
                                source,
                                defaults.lease(),
                                SourcePolicy.SHORTEST,
                                SourcePolicy.MAX_LEASE),
                        values.duration(
                                Setting.SOURCE_TTL,
                                source,
                                defaults.ttl(),
                                SourcePolicy.SHORTEST,
                                SourcePolicy.MAX_TTL),
                        values.integer(
                                Setting.SOURCE_MAX_BODY_SIZE,
                                source,
                                defaults.maxBodySize(),
                                SourcePolicy.MAX_BODY_SIZE),
                        values.choice(Setting.SOURCE_FINGERPRINT, source, FingerprintBy.NONE),
                        values.choice(Setting.SOURCE_RECORD_ON, source, RecordOn.SUCCESS),
                        values.choice(Setting.SOURCE_ON_OUTAGE, source, defaults.onOutage())),
                inFlightStatus,
                bodyStandsIn);
    }
}
