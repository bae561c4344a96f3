package dev.exactlyonce.deploy;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.rest.Hierarchy;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The annotations that carry a binding: itself, or any annotation that it stands on, to any depth. By reflection alone. */
final class BindingAnnotations {
    private static final ClassValue<Boolean> CARRIERS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isCarrier(type, new LinkedHashSet<>());
        }
    };

    private BindingAnnotations() {}

    static boolean isCarrier(Class<? extends Annotation> type) {
        return CARRIERS.get(type);
    }

    private static boolean isCarrier(Class<?> type, Set<Class<?>> seen) {
        return type == ExactlyOnce.class
                || (seen.add(type)
                        && Arrays.stream(type.getAnnotations()).anyMatch(it -> isCarrier(it.annotationType(), seen)));
    }

    static boolean anyOn(AnnotatedElement place) {
        return Arrays.stream(place.getAnnotations()).anyMatch(it -> isCarrier(it.annotationType()));
    }

    /** Whether the class or anything above it asks for admission as a whole, whether or not CDI knows it. */
    static boolean anyOnClass(Class<?> type) {
        return Hierarchy.of(type).anyMatch(BindingAnnotations::anyOn);
    }

    /** Whether anything of the class or the method asks for admission: for what CDI never saw. */
    static boolean anyOnMethod(Class<?> type, Method method) {
        return anyOnClass(type)
                || Stream.concat(Stream.of(method), Hierarchy.overridden(method))
                        .anyMatch(BindingAnnotations::anyOn);
    }

    /** An annotation of a method, its class or a superclass that carries a binding which CDI may not take from there. */
    static Optional<Class<? extends Annotation>> indirect(Class<?> type, Method method) {
        Stream<AnnotatedElement> methods = Stream.concat(
                Stream.of(method),
                Hierarchy.overridden(method)
                        .filter(it -> !it.getDeclaringClass().isInterface()));
        return Stream.concat(methods, Hierarchy.of(type).filter(it -> !it.isInterface()))
                .flatMap(it -> Arrays.stream(it.getAnnotations()))
                .<Class<? extends Annotation>>map(Annotation::annotationType)
                .filter(it -> it != ExactlyOnce.class && isCarrier(it))
                .findFirst();
    }
}
