package dev.exactlyonce.rest;

import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A place where JAX-RS injects: a parameter, a field or a setter.
 *
 * @param type what is injected, with type variables resolved
 */
record Injected(List<Annotation> annotations, Class<?> type) {
    /** By name: the last two are RESTEasy's own, which need not be there. */
    private static final Set<String> FORM = Set.of(
            "jakarta.ws.rs.FormParam",
            "org.jboss.resteasy.annotations.jaxrs.FormParam",
            "org.jboss.resteasy.annotations.Form");

    /** Of a method or a constructor that this class has or inherits. */
    static List<Injected> intoParameters(Class<?> type, Executable executable) {
        Generics generics = Generics.of(type);
        return Stream.of(executable.getParameters())
                .map(it -> new Injected(List.of(it.getAnnotations()), generics.erase(it.getParameterizedType())))
                .toList();
    }

    /** Into the class itself and whatever it inherits. */
    static List<Injected> intoMembers(Class<?> type) {
        Generics generics = Generics.of(type);
        List<Injected> places = new ArrayList<>();
        Hierarchy.of(type).forEach(it -> {
            for (Field field : it.getDeclaredFields()) {
                places.add(new Injected(List.of(field.getAnnotations()), generics.erase(field.getGenericType())));
            }
            for (Method setter : it.getDeclaredMethods()) {
                if (setter.getName().startsWith("set") && setter.getParameterCount() == 1) {
                    Class<?> value = generics.erase(setter.getGenericParameterTypes()[0]);
                    places.add(new Injected(List.of(setter.getAnnotations()), value));
                    places.addAll(intoParameters(type, setter));
                }
            }
            for (Constructor<?> constructor : it.getDeclaredConstructors()) {
                places.addAll(intoParameters(type, constructor));
            }
        });
        return places;
    }

    /** Whether a form parameter is injected, also into a bean parameter. */
    static boolean anyIsOfAForm(List<Injected> places) {
        return any(places, Injected::isOfAForm, new LinkedHashSet<>());
    }

    /** Whether something is injected with which work goes on after the method has returned. */
    static boolean anySuspends(List<Injected> places) {
        return any(places, Injected::suspends, new LinkedHashSet<>());
    }

    private static boolean any(List<Injected> places, Predicate<Injected> wanted, Set<Class<?>> seen) {
        return places.stream()
                .anyMatch(it -> wanted.test(it)
                        || (it.isBean() && seen.add(it.type()) && any(intoMembers(it.type()), wanted, seen)));
    }

    private boolean isOfAForm() {
        return annotations.stream()
                .anyMatch(it -> FORM.contains(it.annotationType().getName()));
    }

    private boolean suspends() {
        return annotations.stream().anyMatch(Suspended.class::isInstance)
                || AsyncResponse.class.isAssignableFrom(type)
                || SseEventSink.class.isAssignableFrom(type);
    }

    private boolean isBean() {
        return annotations.stream().anyMatch(BeanParam.class::isInstance);
    }
}
