package dev.exactlyonce.deploy;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.OneAtATime;
import dev.exactlyonce.rest.Binding;
import dev.exactlyonce.rest.Bindings;
import dev.exactlyonce.rest.ResourceMethod;
import dev.exactlyonce.source.KeyExpressions;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves every bean's bindings, through inheritance and stereotypes, and finds each one that would be skipped in
 * silence: those are faults, since a skipped interceptor lets a handler run twice.
 */
final class BindingScanner {
    /** What a class-level binding covers. */
    private static final Set<String> COVERED = Set.of("POST", "PUT", "PATCH", "DELETE");

    /** Methods whose requests carry no delivery. */
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private final BeanManager beans;
    private final ResourcePaths ways;
    private final BindingFaults faults;
    private final BeanFaults beanFaults;
    private final PathChecks paths;
    private final SupertypeFaults above;
    private final Map<Class<?>, Map<Method, Binding>> bindings = new LinkedHashMap<>();
    private final Set<Class<?>> whole = new LinkedHashSet<>();

    BindingScanner(BeanManager beans, ResourcePaths ways, BindingFaults faults) {
        this.beans = beans;
        this.ways = ways;
        this.faults = faults;
        this.beanFaults = new BeanFaults(beans, ways, faults);
        this.paths = new PathChecks(faults);
        this.above = new SupertypeFaults(faults, this::isCarried);
    }

    /** The sources that annotations name. */
    Set<String> literals() {
        return paths.literals();
    }

    Map<Class<?>, Map<Method, Binding>> bound() {
        return bindings;
    }

    /** The classes that are bound as a class. */
    Set<Class<?>> whole() {
        return whole;
    }

    Bindings bindings() {
        return Bindings.of(bindings, whole);
    }

    /** @param containerTransactions whether it is a session bean whose calls the container wraps in transactions */
    void scan(AnnotatedType<?> bean, boolean containerTransactions) {
        Class<?> type = bean.getJavaClass();
        Optional<ExactlyOnce> ofClass = find(bean.getAnnotations());
        faultsOfSessions(bean, ofClass);
        above.find(type);
        boolean anyOfMethods = bean.getMethods().stream()
                .anyMatch(it -> find(it.getAnnotations()).isPresent());
        if (ofClass.isEmpty() && !anyOfMethods) {
            bean.getMethods().forEach(it -> faultIfCarried(type, it.getJavaMember()));
            return;
        }
        if (beanFaults.find(bean, containerTransactions)) {
            return;
        }
        Map<Method, Binding> methods = new LinkedHashMap<>();
        for (AnnotatedMethod<?> method : bean.getMethods()) {
            if (!method.getJavaMember().isBridge()) {
                resolve(type, method, ofClass).ifPresent(it -> methods.put(method.getJavaMember(), it));
            }
        }
        addDeclarations(type, methods);
        bindings.put(type, methods);
        ofClass.ifPresent(it -> whole.add(type));
    }

    /** A session where no delivery is admitted would serialise nothing. */
    private void faultsOfSessions(AnnotatedType<?> bean, Optional<ExactlyOnce> ofClass) {
        for (AnnotatedMethod<?> method : bean.getMethods()) {
            boolean isBound = find(method.getAnnotations()).isPresent()
                    || (ofClass.isPresent()
                            && coversAny(ResourceMethod.of(bean.getJavaClass(), method.getJavaMember())
                                    .httpMethods()));
            if (method.isAnnotationPresent(OneAtATime.class) && !isBound) {
                faults.add(
                        method.getJavaMember(),
                        "has @OneAtATime, which serialises deliveries of @ExactlyOnce methods alone; for other work inject"
                                + " TurnLock");
            }
        }
    }

    /** JAX-RS may name the declaration whose annotations count: a generic one has other parameters. */
    private static void addDeclarations(Class<?> type, Map<Method, Binding> methods) {
        Map.copyOf(methods)
                .forEach((method, binding) -> ResourceMethod.of(type, method).declarations().stream()
                        .filter(it -> !List.of(it.getParameterTypes()).equals(List.of(method.getParameterTypes())))
                        .forEach(it -> methods.putIfAbsent(it, binding)));
    }

    private Optional<Binding> resolve(Class<?> type, AnnotatedMethod<?> annotated, Optional<ExactlyOnce> ofClass) {
        Method method = annotated.getJavaMember();
        ResourceMethod seen = ResourceMethod.of(type, method);
        Optional<ExactlyOnce> own = find(annotated.getAnnotations());
        List<String> all = seen.httpMethods();
        if (own.isPresent() && all.isEmpty()) {
            faults.add(
                    method,
                    seen.isLocator()
                            ? "leads to a sub-resource and receives nothing itself; put @ExactlyOnce on what it returns"
                            : "is not a resource method; for other work inject ExactlyOnceRunner");
            return Optional.empty();
        }
        if (own.isPresent() && READING.contains(all.get(0))) {
            faults.add(method, "answers " + all.get(0) + ", which carries no delivery; remove @ExactlyOnce there");
            return Optional.empty();
        }
        if (own.isEmpty() && (ofClass.isEmpty() || !coversAny(all))) {
            faultIfCarried(type, method);
            return Optional.empty();
        }
        if (all.size() > 1) {
            faults.add(
                    method,
                    "answers " + String.join(" and ", all) + "; give each HTTP method a Java method of its own");
        }
        if (!isInterceptable(method)) {
            faults.add(method, "cannot be intercepted; make it public, and neither static nor final");
        }
        faultsOfParameters(seen);
        return Optional.of(binding(own.orElseGet(ofClass::get), annotated.getAnnotation(OneAtATime.class), seen));
    }

    private void faultsOfParameters(ResourceMethod seen) {
        if (seen.outlivesItsReturn()) {
            faults.add(
                    seen.method(),
                    "is asynchronous (@Suspended, @Asynchronous, an event sink or a Future): its work would be recorded before it ends; return a"
                            + " CompletionStage instead");
        }
        if (seen.takesFormParameters()) {
            faults.add(
                    seen.method(),
                    "takes a @FormParam, which is empty once the body was read for the key; take the form as the"
                            + " entity, a MultivaluedMap<String, String> or a jakarta.ws.rs.core.Form, instead");
        }
    }

    private Binding binding(ExactlyOnce annotation, @Nullable OneAtATime oneAtATime, ResourceMethod seen) {
        MethodAddresses addresses = MethodAddresses.of(seen, ways);
        Optional<KeyExpressions> keys = paths.keys(annotation, seen.method(), addresses);
        Binding binding = new Binding(
                annotation.value(),
                keys,
                paths.session(oneAtATime, seen.method(), addresses),
                seen.httpMethod().orElseThrow(),
                addresses.paths(),
                annotation.mode());
        paths.checkSource(binding, seen.method(), addresses);
        return binding;
    }

    private static boolean coversAny(List<String> httpMethods) {
        return httpMethods.stream().anyMatch(BindingScanner::covers);
    }

    /** Whether a class-level binding covers this HTTP method, which is in upper case. */
    static boolean covers(String httpMethod) {
        return COVERED.contains(httpMethod);
    }

    /** A resource method that asks for admission by an annotation which CDI does not take there. */
    private void faultIfCarried(Class<?> type, Method method) {
        BindingAnnotations.indirect(type, method)
                .filter(it -> coversAny(ResourceMethod.of(type, method).httpMethods()))
                .ifPresent(it -> faults.add(
                        method,
                        "asks for admission by @" + it.getSimpleName() + ", which CDI does not take there: it must be a"
                                + " stereotype on a class or an interceptor binding, and @Inherited where a superclass"
                                + " carries it"));
    }

    /** A class, or an interface, that carries a binding and that no bean is made of. */
    void faultOfNoBean(Class<?> type) {
        if (type.isInterface()) {
            above.ofInterface(type);
        } else if (!Modifier.isAbstract(type.getModifiers())) {
            faults.add(
                    type,
                    "is not a CDI bean, so its deliveries would not be admitted; give it a scope, such as @RequestScoped");
        }
    }

    private static boolean isInterceptable(Method method) {
        int modifiers = method.getModifiers();
        return Modifier.isPublic(modifiers) && !Modifier.isStatic(modifiers) && !Modifier.isFinal(modifiers);
    }

    private boolean isCarried(AnnotatedElement place) {
        return BindingAnnotations.anyOn(place)
                || find(Set.of(place.getAnnotations())).isPresent(); // a definition may come from an extension
    }

    /** The binding among annotations, also inside a stereotype or another interceptor binding. */
    private Optional<ExactlyOnce> find(Set<Annotation> annotations) {
        for (Annotation it : annotations) {
            if (it instanceof ExactlyOnce found) {
                return Optional.of(found);
            }
        }
        return annotations.stream()
                .map(Annotation::annotationType)
                .flatMap(it -> find(definition(it)).stream())
                .findFirst();
    }

    /** What stands for an annotation: CDI takes a stereotype's and a binding's own bindings with it. */
    private Set<Annotation> definition(Class<? extends Annotation> type) {
        if (beans.isStereotype(type)) {
            return beans.getStereotypeDefinition(type);
        }
        return beans.isInterceptorBinding(type) ? beans.getInterceptorBindingDefinition(type) : Set.of();
    }
}
