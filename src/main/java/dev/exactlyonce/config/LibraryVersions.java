package dev.exactlyonce.config;

import dev.exactlyonce.spi.RequiredLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;

/** Finds which version of a library is in the application, without initializing any of its classes. */
final class LibraryVersions {
    private LibraryVersions() {}

    /** Empty where the library is missing, an empty text where neither Maven's file in its JAR nor its manifest has a version. */
    static Optional<String> find(RequiredLibrary library, ClassLoader loader) {
        try {
            Class<?> type = Class.forName(library.className(), false, loader);
            return Optional.of(ofMaven(library, type.getClassLoader())
                    .or(() -> ofManifest(type))
                    .orElse(""));
        } catch (ClassNotFoundException | LinkageError missing) {
            return Optional.empty();
        }
    }

    private static Optional<String> ofMaven(RequiredLibrary library, ClassLoader loader) {
        String file = "META-INF/maven/" + library.coordinates().replace(':', '/') + "/pom.properties";
        try (InputStream in = loader == null ? null : loader.getResourceAsStream(file)) {
            if (in == null) {
                return Optional.empty();
            }
            Properties properties = new Properties();
            properties.load(in);
            return Optional.ofNullable(properties.getProperty("version"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Optional<String> ofManifest(Class<?> type) {
        return Optional.ofNullable(type.getPackage()).map(Package::getImplementationVersion);
    }
}
