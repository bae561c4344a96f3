package dev.exactlyonce.deploy;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.rest.Hierarchy;
import dev.exactlyonce.rest.ResourceMethod;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Bindings that CDI does not take, by where they stand: on what a class implements or overrides, or where it cannot look. */
final class SupertypeFaults {
    private final BindingFaults faults;
    private final Predicate<AnnotatedElement> carries;

    /** @param carries whether an annotation there is a binding, or stands for one */
    SupertypeFaults(BindingFaults faults, Predicate<AnnotatedElement> carries) {
        this.faults = faults;
        this.carries = carries;
    }

    void find(Class<?> type) {
        Hierarchy.of(type).filter(Class::isInterface).forEach(this::ofInterface);
        Hierarchy.of(type)
                .filter(it -> !it.isInterface())
                .flatMap(it -> Arrays.stream(it.getDeclaredMethods()))
                .forEach(it -> {
                    overridden(it);
                    hidden(type, it);
                });
    }

    private void overridden(Method method) {
        if (method.isBridge() || carries.test(method)) {
            return;
        }
        Hierarchy.overridden(method)
                .filter(it -> !it.getDeclaringClass().isInterface() && carries.test(it))
                .forEach(above -> faults.add(
                        above,
                        "is overridden by " + method.getDeclaringClass().getSimpleName()
                                + ", and a method's annotation is not inherited; put @ExactlyOnce there"));
    }

    /** Annotated methods that CDI's view of the class leaves out. */
    private void hidden(Class<?> type, Method method) {
        if (method.isAnnotationPresent(ExactlyOnce.class)
                && (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers()))
                && ResourceMethod.of(type, method).httpMethod().isPresent()) {
            faults.add(method, "cannot be intercepted; make it public, and neither static nor final");
        }
    }

    /** An interface, among them a REST client: CDI takes no interceptor binding from it. */
    void ofInterface(Class<?> type) {
        boolean client = Arrays.stream(type.getAnnotations())
                .anyMatch(it -> it.annotationType()
                        .getName()
                        .equals("org.eclipse.microprofile.rest.client.inject.RegisterRestClient"));
        String wayOut = client
                ? "is a REST client, which sends and receives nothing; remove @ExactlyOnce there"
                : "is an interface, whose bindings CDI ignores; put @ExactlyOnce on the class that implements it";
        if (Stream.<AnnotatedElement>concat(Stream.of(type), Arrays.stream(type.getDeclaredMethods()))
                .anyMatch(carries)) {
            faults.add(type, wayOut);
        }
    }
}
