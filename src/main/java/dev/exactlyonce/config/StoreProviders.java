package dev.exactlyonce.config;

import dev.exactlyonce.spi.RequiredLibrary;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.StoreProvider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * The stores that an application can choose from.
 *
 * @param faults why a provider cannot be used
 * @param versions finds the version of a library by the library and the class loader of the provider: empty where it is
 *     missing, an empty text where its version is unknown
 */
record StoreProviders(
        List<StoreProvider> all,
        List<String> faults,
        BiFunction<RequiredLibrary, ClassLoader, Optional<String>> versions) {
    private static final String NAME = "[a-z][a-z0-9-]{0,62}";

    /** Those of the application that deploys now. */
    static StoreProviders ofThisApplication() {
        List<StoreProvider> found = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        Iterator<StoreProvider> services =
                ServiceLoader.load(StoreProvider.class, classLoader()).iterator();
        while (true) {
            try {
                if (!services.hasNext()) {
                    return of(found, faults, LibraryVersions::find);
                }
                found.add(services.next());
            } catch (ServiceConfigurationError | LinkageError unusable) {
                faults.add("a store provider cannot be loaded: " + unusable.getMessage());
            }
        }
    }

    /** The deploying thread's, which also finds a store in a WAR whose EAR contains this library; else the library's own. */
    private static ClassLoader classLoader() {
        ClassLoader own = StoreProviders.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        try {
            return context != null && context.loadClass(StoreProvider.class.getName()) == StoreProvider.class
                    ? context
                    : own;
        } catch (ClassNotFoundException | LinkageError ofAnotherApplication) {
            return own;
        }
    }

    static StoreProviders of(
            List<StoreProvider> found,
            List<String> loadFaults,
            BiFunction<RequiredLibrary, ClassLoader, Optional<String>> versions) {
        List<StoreProvider> usable = new ArrayList<>();
        List<String> faults = new ArrayList<>(loadFaults);
        Set<String> names = new HashSet<>();
        for (StoreProvider provider : found) {
            Optional<String> fault = faultOf(provider, names);
            fault.map(it -> provider.getClass().getName() + " " + it).ifPresent(faults::add);
            if (fault.isEmpty()) {
                usable.add(provider);
            }
        }
        return new StoreProviders(List.copyOf(usable), List.copyOf(faults), versions);
    }

    private static Optional<String> faultOf(StoreProvider provider, Set<String> names) {
        String name = provider.name();
        if (!name.matches(NAME)) {
            return Optional.of("provides a store with the name '" + name + "'; allowed: " + NAME);
        }
        if (!names.add(name)) {
            return Optional.of(
                    "provides the store " + name + ", which another provider in the application provides, too");
        }
        String prefix = SettingScope.PREFIX + name + ".";
        return provider.settings().stream()
                .map(SettingDefinition::name)
                .filter(it -> !it.startsWith(prefix))
                .findFirst()
                .map(it -> "defines the setting " + it + "; its name must begin with " + prefix);
    }

    Optional<StoreProvider> find(String name) {
        return all.stream().filter(it -> it.name().equals(name)).findFirst();
    }

    String names() {
        return all.stream().map(StoreProvider::name).collect(Collectors.joining(", "));
    }

    /** The whole names of all settings of all stores. */
    List<String> settingNames() {
        return all.stream()
                .flatMap(it -> it.settings().stream())
                .map(SettingDefinition::name)
                .toList();
    }

    /** Why the store cannot be opened with the libraries of this application. */
    List<String> libraryFaults(StoreProvider provider) {
        List<String> found = new ArrayList<>();
        for (RequiredLibrary library : provider.libraries()) {
            String needs = "'" + provider.name() + "' needs " + library.title();
            Optional<String> version =
                    versions.apply(library, provider.getClass().getClassLoader());
            if (version.isEmpty()) {
                found.add(needs + " in the application; add the dependency " + withVersion(library));
            } else if (!isTested(library, version.get())) {
                found.add(needs + " " + String.join(" or ", library.testedVersions()) + ", the application has "
                        + (version.get().isEmpty() ? "an unknown version" : version.get()) + "; use the dependency "
                        + withVersion(library));
            }
        }
        return found;
    }

    private static boolean isTested(RequiredLibrary library, String version) {
        return library.testedVersions().isEmpty() || library.testedVersions().contains(version);
    }

    private static String withVersion(RequiredLibrary library) {
        List<String> tested = library.testedVersions();
        return library.coordinates() + (tested.isEmpty() ? "" : ":" + tested.get(tested.size() - 1));
    }
}
