package dev.exactlyonce.spi;

import java.util.List;

/**
 * A library that a store needs in the application. The deployment fails where it is missing, or has a version that the store
 * was not tested with.
 *
 * <pre>{@code
 * new RequiredLibrary("H2", "org.h2.Driver", "com.h2database:h2", List.of("2.3.232"))
 * }</pre>
 *
 * @param title the library's name
 * @param className a class of the library
 * @param coordinates Maven coordinates without the version, such as {@code com.h2database:h2}
 * @param testedVersions the versions that the store was tested with, the newest last; empty: any version
 * @since 0.1.0
 */
public record RequiredLibrary(String title, String className, String coordinates, List<String> testedVersions) {
    public RequiredLibrary {
        if (!coordinates.matches("[^:]+:[^:]+")) {
            throw new IllegalArgumentException("coordinates must be group:artifact, was " + coordinates);
        }
        testedVersions = List.copyOf(testedVersions);
    }
}
