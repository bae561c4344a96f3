package dev.exactlyonce.deploy;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.rest.Binding;
import dev.exactlyonce.source.KeyExpressions;
import dev.exactlyonce.source.Sources;
import jakarta.enterprise.inject.Typed;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

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
    private final List<String> faults = new ArrayList<>();
    private final Set<String> literals = new TreeSet<>();
    private final Map<Class<?>, Map<Method, Binding>> bindings = new LinkedHashMap<>();

    BindingScanner(BeanManager beans) {
        this.beans = beans;
    }

    /** Each names the place, what is wrong with it and the way out. */
    List<String> faults() {
        return faults;
    }

    /** The sources that annotations name. */
    Set<String> literals() {
        return literals;
    }

    Map<Class<?>, Map<Method, Binding>> bindings() {
        return bindings;
    }

    /** @param containerTransactions whether it is a session bean whose calls the container wraps in transactions */
    void scan(AnnotatedType<?> bean, boolean containerTransactions) {
        Class<?> type = bean.getJavaClass();
        Optional<ExactlyOnce> ofClass = find(bean.getAnnotations());
        boolean anyOfMethods = bean.getMethods().stream()
                .anyMatch(it -> find(it.getAnnotations()).isPresent());
        faultsAbove(type);
        faultsInHiding(type);
        if (ofClass.isEmpty() && !anyOfMethods) {
            return;
        }
        if (!ResourceShape.isResource(type)) {
            fault(type, "is no JAX-RS resource; for other work inject ExactlyOnceRunner");
            return;
        }
        Typed typed = bean.getAnnotation(Typed.class);
        if (typed != null && !List.of(typed.value()).contains(type)) {
            fault(
                    type,
                    "is @Typed without its own class: JAX-RS could not get it from CDI, or Weld would make the other type"
                            + " in its place, unadmitted; add " + type.getSimpleName() + ".class to @Typed");
            return;
        }
        if (containerTransactions) {
            fault(
                    type,
                    "is a session bean with container transactions: the record would be written before the commit;"
                            + " make it a CDI bean with @Transactional methods, or @TransactionManagement(BEAN)");
            return;
        }
        Map<Method, Binding> methods = new LinkedHashMap<>();
        for (AnnotatedMethod<?> method : bean.getMethods()) {
            resolve(type, method, ofClass).ifPresent(it -> methods.put(method.getJavaMember(), it));
        }
        bindings.put(type, methods);
    }

    private Optional<Binding> resolve(Class<?> type, AnnotatedMethod<?> annotated, Optional<ExactlyOnce> ofClass) {
        Method method = annotated.getJavaMember();
        Optional<ExactlyOnce> own = find(annotated.getAnnotations());
        Optional<String> http = ResourceShape.httpMethod(type, method);
        if (own.isPresent() && http.isEmpty()) {
            fault(method, "is no resource method; for other work inject ExactlyOnceRunner");
            return Optional.empty();
        }
        if (own.isPresent() && READING.contains(http.get())) {
            fault(method, "answers " + http.get() + ", which carries no delivery; remove @ExactlyOnce there");
            return Optional.empty();
        }
        if (own.isEmpty() && (ofClass.isEmpty() || !coversAny(ResourceShape.httpMethods(type, method)))) {
            return Optional.empty();
        }
        ExactlyOnce annotation = own.orElseGet(ofClass::get);
        List<String> all = ResourceShape.httpMethods(type, method);
        if (all.size() > 1) {
            fault(method, "answers " + String.join(" and ", all) + "; give each HTTP method a Java method of its own");
        }
        if (!isInterceptable(method)) {
            fault(method, "cannot be intercepted; make it public, and neither static nor final");
        }
        if (ResourceShape.outlivesItsReturn(type, method)) {
            fault(
                    method,
                    "is asynchronous (@Suspended, @Asynchronous, an event sink or a Future): its work would be recorded before it ends; return a"
                            + " CompletionStage instead");
        }
        if (ResourceShape.takesFormParameters(type, method)) {
            fault(
                    method,
                    "takes a @FormParam, which is empty once the body was read for the key; take the form as the"
                            + " entity, a MultivaluedMap<String, String> or a jakarta.ws.rs.core.Form, instead");
        }
        PathTemplate template = ResourceShape.template(type, method);
        Optional<KeyExpressions> keys = keys(annotation, method, template);
        Binding binding = new Binding(annotation.value(), keys, http.orElseThrow(), template.text());
        checkSource(binding, method, template);
        return Optional.of(binding);
    }

    private static boolean coversAny(List<String> httpMethods) {
        return httpMethods.stream().anyMatch(BindingScanner::covers);
    }

    /** Whether a class-level binding covers this HTTP method, which is in upper case. */
    static boolean covers(String httpMethod) {
        return COVERED.contains(httpMethod);
    }

    private Optional<KeyExpressions> keys(ExactlyOnce annotation, Method method, PathTemplate template) {
        if (annotation.key().length == 0) {
            return Optional.empty();
        }
        try {
            KeyExpressions keys = KeyExpressions.parse(List.of(annotation.key()), false);
            for (String parameter : keys.pathParameters()) {
                if (!template.parameters().contains(parameter)) {
                    fault(
                            method,
                            "has a key of path:" + parameter + ", which its @Path does not have; it has "
                                    + template.parameters());
                }
            }
            return Optional.of(keys);
        } catch (IllegalArgumentException e) {
            fault(method, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private void checkSource(Binding binding, Method method, PathTemplate template) {
        binding.sourceParameter()
                .ifPresentOrElse(
                        parameter -> {
                            if (!template.parameters().contains(parameter)) {
                                fault(
                                        method,
                                        "takes its source from the path parameter '" + parameter
                                                + "', which its @Path does not have; it has " + template.parameters());
                            }
                        },
                        () -> {
                            if (Sources.isName(binding.source())) {
                                literals.add(binding.source());
                            } else {
                                fault(
                                        method,
                                        "names the source '" + binding.source()
                                                + "'; allowed: [a-z][a-z0-9-]{0,62}, or a path parameter in braces");
                            }
                        });
    }

    /** Bindings on what the class implements or overrides: CDI does not inherit them, so nothing would be admitted. */
    private void faultsAbove(Class<?> type) {
        Hierarchy.of(type).filter(Class::isInterface).forEach(this::faultsOfInterface);
        Hierarchy.of(type)
                .filter(it -> !it.isInterface())
                .flatMap(it -> Arrays.stream(it.getDeclaredMethods()))
                .filter(it -> !it.isBridge() && !it.isAnnotationPresent(ExactlyOnce.class))
                .forEach(method -> Hierarchy.overridden(method)
                        .filter(it -> !it.getDeclaringClass().isInterface())
                        .filter(it -> it.isAnnotationPresent(ExactlyOnce.class))
                        .forEach(above -> fault(
                                above,
                                "is overridden by " + method.getDeclaringClass().getSimpleName()
                                        + ", and a method's annotation is not inherited; put @ExactlyOnce there")));
    }

    /** An interface, among them a REST client: CDI takes no interceptor binding from it. */
    private void faultsOfInterface(Class<?> type) {
        boolean client = Arrays.stream(type.getAnnotations())
                .anyMatch(it -> it.annotationType()
                        .getName()
                        .equals("org.eclipse.microprofile.rest.client.inject.RegisterRestClient"));
        String wayOut = client
                ? "is a REST client, which sends and receives nothing; remove @ExactlyOnce there"
                : "is an interface, whose bindings CDI ignores; put @ExactlyOnce on the class that implements it";
        Stream<Annotation[]> places = Stream.concat(
                Stream.<Annotation[]>of(type.getAnnotations()),
                Arrays.stream(type.getDeclaredMethods()).map(Method::getAnnotations));
        if (places.anyMatch(it -> find(Set.of(it)).isPresent())) {
            fault(type, wayOut);
        }
    }

    /** A class, or an interface, that carries a binding and that no bean is made of. */
    void faultOfNoBean(Class<?> type) {
        if (type.isInterface()) {
            faultsOfInterface(type);
        } else if (!Modifier.isAbstract(type.getModifiers())) {
            fault(
                    type,
                    "is no CDI bean, so nothing would admit its deliveries; give it a scope, @RequestScoped for one");
        }
    }

    /** Annotated methods that CDI's view of the class leaves out. */
    private void faultsInHiding(Class<?> type) {
        Hierarchy.of(type)
                .filter(it -> !it.isInterface())
                .flatMap(it -> Arrays.stream(it.getDeclaredMethods()))
                .filter(it -> it.isAnnotationPresent(ExactlyOnce.class))
                .filter(it -> Modifier.isPrivate(it.getModifiers()) || Modifier.isStatic(it.getModifiers()))
                .filter(it -> ResourceShape.httpMethod(type, it).isPresent())
                .forEach(it -> fault(it, "cannot be intercepted; make it public, and neither static nor final"));
    }

    private static boolean isInterceptable(Method method) {
        int modifiers = method.getModifiers();
        return Modifier.isPublic(modifiers) && !Modifier.isStatic(modifiers) && !Modifier.isFinal(modifiers);
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

    /** Whether anything of the class asks for admission, by reflection alone: for classes that CDI never saw. */
    static boolean asksForAdmission(Class<?> type, Method method) {
        return Stream.concat(
                        Stream.concat(Stream.of(method), Hierarchy.overridden(method))
                                .map(Method::getAnnotations),
                        Hierarchy.of(type).map(Class::getAnnotations))
                .flatMap(Arrays::stream)
                .anyMatch(it -> isOrCarriesBinding(it.annotationType(), new LinkedHashSet<>()));
    }

    /** A stereotype may stand inside another one, to any depth. */
    private static boolean isOrCarriesBinding(Class<? extends Annotation> type, Set<Class<?>> seen) {
        return type == ExactlyOnce.class
                || (seen.add(type)
                        && Arrays.stream(type.getAnnotations())
                                .anyMatch(it -> isOrCarriesBinding(it.annotationType(), seen)));
    }

    private void fault(Class<?> type, String what) {
        faults.add("@ExactlyOnce: " + type.getName() + " " + what);
    }

    private void fault(Method method, String what) {
        faults.add("@ExactlyOnce: " + method.getDeclaringClass().getName() + "." + method.getName() + " " + what);
    }
}
