package dev.exactlyonce.rest;

import jakarta.ws.rs.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A class as JAX-RS sees it. */
public final class ResourceClass {
    private ResourceClass() {}

    /** Its path: its own, or the nearest above it, which servers read differently. */
    public static Optional<String> path(Class<?> type) {
        return Hierarchy.of(type)
                .map(it -> it.getAnnotation(Path.class))
                .filter(Objects::nonNull)
                .map(Path::value)
                .findFirst();
    }

    /** Whether every server takes it for a root resource: a path is not inherited. */
    public static boolean isRoot(Class<?> type) {
        return type.isAnnotationPresent(Path.class);
    }

    /** Whether JAX-RS would take it for a resource: by a path of its own, or of a locator's making. */
    public static boolean isResource(Class<?> type) {
        return path(type).isPresent()
                || ResourceMethod.all(type).stream()
                        .anyMatch(it -> it.isLocator() || !it.httpMethods().isEmpty());
    }

    /** Its methods that lead to sub-resources. */
    public static List<ResourceMethod> locators(Class<?> type) {
        return ResourceMethod.all(type).stream()
                .filter(ResourceMethod::isLocator)
                .toList();
    }
}
