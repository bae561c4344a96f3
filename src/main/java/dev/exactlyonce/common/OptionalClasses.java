package dev.exactlyonce.common;

import java.util.Optional;

/** Classes that an application or a server may leave out, as this library's class loader finds them. */
public final class OptionalClasses {
    private OptionalClasses() {}

    /** Empty where the class is missing or cannot be linked. It is not initialized. */
    public static Optional<Class<?>> find(String name) {
        try {
            return Optional.of(Class.forName(name, false, OptionalClasses.class.getClassLoader()));
        } catch (ClassNotFoundException | LinkageError missing) {
            return Optional.empty();
        }
    }

    public static boolean isPresent(String name) {
        return find(name).isPresent();
    }

    /** For a class that was found to be present. */
    public static Class<?> get(String name) {
        return find(name).orElseThrow(() -> new IllegalStateException(name + " is missing"));
    }
}
