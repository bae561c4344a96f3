package dev.exactlyonce.config;

import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.source.Sources;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The settings of the receiving side that are not those of one source or one store. */
final class GlobalSettings {
    private static final Duration MAX_RENEWALS = Duration.ofDays(365);

    /** The TTL for a provider that repeats a delivery this often. */
    private static final Map<String, Duration> CADENCES =
            Map.of("sub-minute", Duration.ofHours(24), "sub-hour", Duration.ofDays(7), "daily", Duration.ofDays(30));

    private static final SettingType<Duration> TTL_AS_DURATION =
            SettingType.duration(SourcePolicy.SHORTEST, SourcePolicy.MAX_TTL);

    static final SettingDefinition<Set<String>> SOURCES = SettingDefinition.optional(
                    "exactlyonce.sources",
                    SettingTypes.names(Sources::isName),
                    "The sources that a `{param}` may name. Any other value gets a 404.")
            .withDocumentedDefault("the sources of the annotations");

    static final SettingDefinition<String> STORE = SettingDefinition.of(
            "exactlyonce.store",
            SettingType.text("`sqlite`, `redis`, `jdbc`, `memory`, or a store of the application"),
            "sqlite",
            "Where keys are kept: in a file of this replica, in a Redis or a database that all replicas share, or in this process.");

    static final SettingDefinition<Duration> LEASE = SettingDefinition.of(
            "exactlyonce.lease",
            SettingType.duration(SourcePolicy.SHORTEST, SourcePolicy.MAX_LEASE),
            Duration.ofMinutes(15),
            "How long a claim holds. When a server dies, the keys of its running handlers are free again after this time.");

    static final SettingDefinition<Duration> MAX_HOLD = SettingDefinition.of(
            "exactlyonce.max-hold",
            SettingType.duration(Duration.ofSeconds(1), MAX_RENEWALS),
            Duration.ofHours(1),
            "The longest time for which the claim of a running handler is renewed.");

    static final SettingDefinition<Duration> TTL = SettingDefinition.of(
                    "exactlyonce.ttl",
                    SettingType.of(
                            TTL_AS_DURATION.documentedValues() + ", or `sub-minute`, `sub-hour`, `daily`",
                            text -> Optional.ofNullable(CADENCES.get(text)).or(() -> TTL_AS_DURATION.find(text))),
                    Duration.ofHours(24),
                    "How long a record is kept after it was written. It must be longer than the provider's last retry. A provider"
                            + " that retries within a minute: `sub-minute`, 24 hours; within an hour: `sub-hour`, 7 days; within"
                            + " days: `daily`, 30 days.")
            .withDocumentedDefault("`PT24H`");

    static final SettingDefinition<Boolean> STRICT_TTL = SettingDefinition.of(
            "exactlyonce.strict-ttl",
            SettingType.bool(),
            false,
            "Whether the deployment fails when a source's TTL is shorter than twice its retry window or twice its tolerance;"
                    + " otherwise a warning is logged.");

    static final SettingDefinition<OnOutage> ON_OUTAGE = SettingDefinition.of(
            "exactlyonce.on-outage",
            SettingType.choice(OnOutage.class),
            OnOutage.ADMIT,
            "While the store is unavailable: run the handler with best-effort deduplication, or answer 503.");

    static final SettingDefinition<Integer> MAX_BODY_SIZE = SettingDefinition.of(
            "exactlyonce.max-body-size",
            SettingType.integer(0, SourcePolicy.MAX_BODY_SIZE),
            1 << 20,
            "The largest body, in bytes. A larger one gets a 413.");

    static final SettingDefinition<Integer> REMEMBER = SettingDefinition.of(
            "exactlyonce.remember",
            SettingType.integer(0, 10_000_000),
            100_000,
            "How many records this replica keeps in memory, so that their duplicates do not need the store.");

    static final SettingDefinition<Boolean> DOWN_WHEN_DEGRADED = SettingDefinition.of(
            "exactlyonce.health.down-when-degraded",
            SettingType.bool(),
            false,
            "Whether readiness is DOWN, and not only marked as degraded, while a guarantee is weaker than configured.");

    static final List<SettingDefinition<?>> ALL = List.of(
            SOURCES, STORE, LEASE, MAX_HOLD, TTL, STRICT_TTL, ON_OUTAGE, MAX_BODY_SIZE, REMEMBER, DOWN_WHEN_DEGRADED);

    private GlobalSettings() {}
}
