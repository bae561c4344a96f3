package dev.exactlyonce.config;

import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.config.TurnSettings.TurnBackend;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingValues;
import dev.exactlyonce.store.redis.RedisStoreProvider;
import dev.exactlyonce.store.redis.RedisStoreSettings;
import java.util.List;
import java.util.Optional;

/** Reads the turn lock's settings. */
final class TurnReader {
    private final ConfigReader values;
    private final StoreProviders providers;

    TurnReader(ConfigReader values, StoreProviders providers) {
        this.values = values;
        this.providers = providers;
    }

    TurnConfiguration read(ChosenStore store, Optional<SettingValues> ofRedis) {
        TurnBackend backend = values.find(TurnSettings.BACKEND)
                .orElse(store.provider() instanceof RedisStoreProvider ? TurnBackend.REDIS : TurnBackend.LOCAL);
        Optional<RedisSettings> redis = Optional.empty();
        if (backend == TurnBackend.REDIS) {
            List<String> faults = providers.libraryFaults(new RedisStoreProvider());
            faults.forEach(it -> values.problem(TurnSettings.BACKEND.name(), it));
            redis = ofRedis.map(this::redis);
        } else {
            refuse(TurnSettings.URL);
            refuse(TurnSettings.PREFIX);
        }
        return new TurnConfiguration(
                redis,
                values.get(TurnSettings.TTL),
                values.get(TurnSettings.WAIT),
                values.get(GlobalSettings.ON_OUTAGE) == OnOutage.REJECT);
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
