package dev.exactlyonce.deploy;

import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * A class as JAX-RS sees it: its paths and HTTP methods, with the annotation inheritance of Jakarta RESTful Web Services
 * 3.1, section 3.6: a method without JAX-RS annotations takes those of the one it overrides, superclass first.
 */
final class ResourceShape {
    private static final String JAX_RS = "jakarta.ws.rs.";

    /** By name, since none of their features need be there. */
    private static final Set<String> ASYNCHRONOUS = Set.of(
            "jakarta.enterprise.concurrent.Asynchronous",
            "jakarta.ejb.Asynchronous",
            "org.eclipse.microprofile.faulttolerance.Asynchronous");

    private ResourceShape() {}

    /** The HTTP method that a method of this class answers, in upper case, if it is a resource method. */
    static Optional<String> httpMethod(Class<?> type, Method method) {
        return httpMethods(type, method).stream().findFirst();
    }

    /** Every HTTP method that it answers: more than one is against the specification, and RESTEasy serves them all. */
    static List<String> httpMethods(Class<?> type, Method method) {
        return annotated(type, method).map(ResourceShape::designators).orElse(List.of());
    }

    private static List<String> designators(Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(it -> it.annotationType().getAnnotation(HttpMethod.class))
                .filter(java.util.Objects::nonNull)
                .map(it -> it.value().toUpperCase(Locale.ROOT)) // RESTEasy does the same
                .toList();
    }

    static PathTemplate template(Class<?> type, Method method) {
        String ofClass = path(type).orElse("");
        String ofMethod = annotated(type, method)
                .map(it -> it.getAnnotation(Path.class))
                .map(Path::value)
                .orElse("");
        return PathTemplate.of(ofClass, ofMethod);
    }

    /** Whether JAX-RS would take the class for a resource: a path of its own, or of a locator's making. */
    static boolean isResource(Class<?> type) {
        return path(type).isPresent()
                || Arrays.stream(type.getMethods())
                        .anyMatch(it -> httpMethod(type, it).isPresent());
    }

    private static Optional<String> path(Class<?> type) {
        return Hierarchy.of(type)
                .map(it -> it.getAnnotation(Path.class))
                .filter(java.util.Objects::nonNull)
                .map(Path::value)
                .findFirst();
    }

    /**
     * The method, or the overridden one, that carries the JAX-RS annotations. One with an HTTP method goes first:
     * RESTEasy looks for it above a method that has other JAX-RS annotations, against section 3.6, and what it serves
     * must be admitted.
     */
    private static Optional<Method> annotated(Class<?> type, Method method) {
        List<Method> all = Stream.concat(Stream.of(method), Hierarchy.overridden(type, method))
                .toList();
        return all.stream()
                .filter(it -> !designators(it).isEmpty())
                .findFirst()
                .or(() -> all.stream().filter(ResourceShape::isAnnotated).findFirst());
    }

    private static boolean isAnnotated(Method method) {
        return Stream.concat(
                        Arrays.stream(method.getAnnotations()),
                        Arrays.stream(method.getParameterAnnotations()).flatMap(Arrays::stream))
                .map(Annotation::annotationType)
                .anyMatch(it -> it.getName().startsWith(JAX_RS) || it.isAnnotationPresent(HttpMethod.class));
    }

    /** Whether the method's work goes on after it has returned, other than by a returned stage. */
    static boolean outlivesItsReturn(Class<?> type, Method method) {
        if (CompletionStage.class.isAssignableFrom(method.getReturnType())) {
            return false;
        }
        return Future.class.isAssignableFrom(method.getReturnType())
                || Stream.concat(Arrays.stream(method.getAnnotations()), Arrays.stream(type.getAnnotations()))
                        .anyMatch(
                                it -> ASYNCHRONOUS.contains(it.annotationType().getName()))
                || Arrays.stream(method.getParameters())
                        .anyMatch(it -> it.isAnnotationPresent(Suspended.class)
                                || SseEventSink.class.isAssignableFrom(it.getType()));
    }

    /** Whether a form parameter is injected: into the method, the resource, or a bean parameter of either. */
    static boolean takesFormParameters(Class<?> type, Method method) {
        List<AnnotatedElement> places = new ArrayList<>(List.of(method.getParameters()));
        places.addAll(members(type));
        return takesForm(places, new LinkedHashSet<>());
    }

    private static boolean takesForm(List<AnnotatedElement> places, Set<Class<?>> seen) {
        for (AnnotatedElement place : places) {
            if (place.isAnnotationPresent(FormParam.class)) {
                return true;
            }
            if (place.isAnnotationPresent(BeanParam.class)) {
                Class<?> bean = place instanceof Parameter parameter
                        ? parameter.getType()
                        : place instanceof java.lang.reflect.Field field ? field.getType() : Object.class;
                if (seen.add(bean) && takesForm(members(bean), seen)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<AnnotatedElement> members(Class<?> type) {
        List<AnnotatedElement> members = new ArrayList<>();
        for (Class<?> it = type; it != null && it != Object.class; it = it.getSuperclass()) {
            members.addAll(List.of(it.getDeclaredFields()));
            for (Method setter : it.getDeclaredMethods()) {
                if (setter.getName().startsWith("set")) {
                    members.add(setter);
                    members.addAll(List.of(setter.getParameters()));
                }
            }
            for (var constructor : it.getDeclaredConstructors()) {
                members.addAll(List.of(constructor.getParameters()));
            }
        }
        return members;
    }
}
