package dev.exactlyonce.config;

import static java.util.Objects.requireNonNull;

import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import dev.exactlyonce.spi.SettingValues;
import dev.exactlyonce.spi.StoreProvider;
import dev.exactlyonce.spi.StoreValidation;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.sqlite.SqliteSettings.FileSystem;
import dev.exactlyonce.store.sqlite.SqliteStoreProvider;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads which store is chosen, and the settings of every store: a typo must not stay hidden until the store is chosen. */
final class StoreReader {
    private static final String DEFAULT = GlobalSettings.STORE.defaultValue().orElseThrow();

    private final ConfigReader values;
    private final StoreProviders providers;
    private final String application;
    private final Map<String, Validation> validations = new HashMap<>();

    StoreReader(ConfigReader values, StoreProviders providers, String application) {
        this.values = values;
        this.providers = providers;
        this.application = application;
    }

    ChosenStore read() {
        providers.faults().forEach(it -> values.problem(GlobalSettings.STORE.name(), it));
        StoreProvider chosen = chosen();
        for (StoreProvider provider : providers.all()) {
            Validation validation = new Validation(provider, provider == chosen);
            validations.put(provider.name(), validation);
            provider.validate(validation);
        }
        Validation validation = validations.computeIfAbsent(chosen.name(), it -> new Validation(chosen, true));
        List<String> missing = providers.libraryFaults(chosen);
        missing.forEach(it -> values.problem(GlobalSettings.STORE.name(), it));
        if (missing.isEmpty()) {
            chosen.validateWithLibraries(validation);
        }
        return new ChosenStore(chosen, validation, sqliteFile(chosen));
    }

    private Optional<SqliteSettings> sqliteFile(StoreProvider chosen) {
        Optional<Validation> sqlite = sqlite();
        if (chosen.isShared()) {
            return sqlite.flatMap(it -> SqliteStoreProvider.fallbackFile(
                    it, chosen.timeout(requireNonNull(validations.get(chosen.name())))));
        }
        return sqlite.filter(it -> it.isChosen() && !it.hasFaults())
                .map(it -> SqliteStoreProvider.file(it, application));
    }

    private Optional<Validation> sqlite() {
        return Optional.ofNullable(validations.get(DEFAULT));
    }

    /** The values of a store's settings, chosen or not; after {@link #read}. */
    Optional<SettingValues> valuesOf(String store) {
        return Optional.ofNullable(validations.get(store));
    }

    /** The file systems that may hold database files; after {@link #read}. */
    FileSystem fileSystem() {
        return sqlite().map(it -> it.get(SqliteStoreProvider.FILE_SYSTEM)).orElse(FileSystem.LOCAL);
    }

    private StoreProvider chosen() {
        String name = values.get(GlobalSettings.STORE);
        return providers.find(name).orElseGet(() -> {
            values.problem(
                    GlobalSettings.STORE.name(),
                    SettingType.of(providers.names(), providers::find).notAllowed(name));
            return providers.find(DEFAULT).orElseGet(SqliteStoreProvider::new);
        });
    }

    /** The values of one store's settings. Does not show them. */
    private final class Validation implements StoreValidation {
        private final boolean isChosen;
        private final Map<String, Object> found = new HashMap<>();
        private final Set<String> faulty = new HashSet<>();

        Validation(StoreProvider provider, boolean isChosen) {
            this.isChosen = isChosen;
            provider.settings().forEach(this::read);
        }

        private void read(SettingDefinition<?> setting) {
            int problems = values.problems().size();
            values.find(setting).ifPresent(it -> found.put(setting.name(), it));
            if (values.problems().size() > problems) {
                faulty.add(setting.name());
            }
        }

        @Override
        @SuppressWarnings("unchecked") // put with the value of this definition
        public <T> Optional<T> find(SettingDefinition<T> setting) {
            return Optional.ofNullable((T) found.get(setting.name()));
        }

        @Override
        public boolean isChosen() {
            return isChosen;
        }

        @Override
        public String applicationName() {
            return application;
        }

        @Override
        public void fault(SettingDefinition<?> setting, String fault) {
            values.problem(setting.name(), fault);
            faulty.add(setting.name());
        }

        @Override
        public boolean hasFault(SettingDefinition<?> setting) {
            return faulty.contains(setting.name());
        }

        boolean hasFaults() {
            return !faulty.isEmpty();
        }

        @Override
        public String toString() {
            return found.size() + " values";
        }
    }
}
