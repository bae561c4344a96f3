package dev.exactlyonce.rest;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A class and everything above it. */
public final class Hierarchy {
    private Hierarchy() {}

    /** The class, its superclasses, then their interfaces; without {@link Object}. */
    public static Stream<Class<?>> of(Class<?> type) {
        Set<Class<?>> all = new LinkedHashSet<>();
        for (Class<?> it = type; it != null && it != Object.class; it = it.getSuperclass()) {
            all.add(it);
        }
        for (Class<?> it : List.copyOf(all)) {
            addInterfaces(it, all);
        }
        return all.stream();
    }

    private static void addInterfaces(Class<?> type, Set<Class<?>> all) {
        for (Class<?> it : type.getInterfaces()) {
            all.add(it);
            addInterfaces(it, all);
        }
    }

    /** The methods that this one overrides or implements, superclasses first. */
    public static Stream<Method> overridden(Method method) {
        return overridden(method.getDeclaringClass(), method);
    }

    /**
     * The same, of a method that this class may have inherited: an interface of the class also stands above a method of
     * a superclass that does not implement it.
     */
    static Stream<Method> overridden(Class<?> type, Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return of(type).filter(it -> it != declaring && (it.isInterface() || it.isAssignableFrom(declaring)))
                .flatMap(it -> Arrays.stream(it.getDeclaredMethods()))
                .filter(it -> overrides(method, it));
    }

    /** By name and erased parameters; a generic parameter that the subclass makes concrete counts as the same. */
    private static boolean overrides(Method method, Method above) {
        if (!method.getName().equals(above.getName())
                || Modifier.isStatic(above.getModifiers())
                || Modifier.isPrivate(above.getModifiers())
                || method.getParameterCount() != above.getParameterCount()) {
            return false;
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            Class<?> wanted = above.getParameterTypes()[i];
            boolean generic = !(above.getGenericParameterTypes()[i] instanceof Class)
                    && wanted.isAssignableFrom(method.getParameterTypes()[i]);
            if (!generic && wanted != method.getParameterTypes()[i]) {
                return false;
            }
        }
        return true;
    }
}
