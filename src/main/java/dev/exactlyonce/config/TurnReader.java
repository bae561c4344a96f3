package dev.exactlyonce.config;

import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.config.TurnSettings.TurnBackend;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingValues;
import dev.exactlyonce.store.redis.RedisStoreProvider;
import dev.exactlyonce.store.redis.RedisStoreSettings;
import java.util.Optional;

/** Reads the turn lock's settings. */
final class TurnReader {
    private static final String REDIS = new RedisStoreProvider().name();

    private final ConfigReader values;
    private final StoreProviders providers;

    TurnReader(ConfigReader values, StoreProviders providers) {
        this.values = values;
        this.providers = providers;
    }

    TurnConfiguration read(ChosenStore store, Optional<SettingValues> ofRedis, OnOutage onOutage) {
        TurnBackend backend = backend(values, store.name());
        Optional<RedisSettings> redis = Optional.empty();
        if (backend == TurnBackend.REDIS) {
            if (!store.name().equals(REDIS)) { // else the store's own fault says so
                providers
                        .libraryFaults(new RedisStoreProvider())
                        .forEach(it -> values.problem(TurnSettings.BACKEND.name(), it));
            }
            redis = ofRedis.map(this::redis);
        } else {
            refuse(TurnSettings.URL);
            refuse(TurnSettings.PREFIX);
        }
        return new TurnConfiguration(
                redis, values.get(TurnSettings.TTL), values.get(TurnSettings.WAIT), onOutage == OnOutage.REJECT);
    }

    /** By default what the store is. */
    static TurnBackend backend(ConfigReader values, String store) {
        return values.find(TurnSettings.BACKEND).orElse(store.equals(REDIS) ? TurnBackend.REDIS : TurnBackend.LOCAL);
    }

    private RedisSettings redis(SettingValues ofStore) {
        RedisSettings shared = RedisStoreSettings.of(ofStore);
        return new RedisSettings(
                values.find(TurnSettings.URL).orElse(shared.server()),
                values.find(TurnSettings.URL).isPresent() ? Optional.empty() : shared.file(),
                values.find(TurnSettings.PREFIX).orElse(shared.prefix()),
                shared.timeout(),
                0);
    }

    private void refuse(SettingDefinition<?> setting) {
        values.find(setting)
                .ifPresent(it -> values.problem(
                        setting.name(),
                        "has no effect on turns of this replica alone; set " + TurnSettings.BACKEND.name()
                                + "=redis or remove it"));
    }
}
