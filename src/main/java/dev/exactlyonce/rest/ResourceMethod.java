package dev.exactlyonce.rest;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * A method of a class as JAX-RS sees it: the only place that reads its JAX-RS annotations. Jakarta RESTful Web Services
 * 3.1, section 3.6: a method without JAX-RS annotations takes those of the one it overrides, superclass first. RESTEasy
 * looks further up past annotations of parameters, and reads the parameters where it has found the HTTP method; what
 * decides over the fences is therefore looked for in every declaration.
 */
public final class ResourceMethod {
    /** By name, since none of their features need be there. */
    private static final Set<String> ASYNCHRONOUS = Set.of(
            "jakarta.enterprise.concurrent.Asynchronous",
            "jakarta.ejb.Asynchronous",
            "org.eclipse.microprofile.faulttolerance.Asynchronous");

    private final Class<?> type;
    private final Method method;
    private final List<Method> declarations;

    /** The declaration whose annotations count. */
    private final Optional<Method> annotated;

    private ResourceMethod(Class<?> type, Method method) {
        this.type = type;
        this.method = method;
        this.declarations = Stream.concat(Stream.of(method), Hierarchy.overridden(type, method))
                .toList();
        this.annotated = declarations.stream()
                .filter(it ->
                        it.isAnnotationPresent(Path.class) || !designators(it).isEmpty())
                .findFirst();
    }

    /** @param type the class, or one that a container made of it, which has or inherits the method */
    public static ResourceMethod of(Class<?> type, Method method) {
        return new ResourceMethod(ContainerMade.beanClass(type), method);
    }

    /** Every method of the class at which JAX-RS looks, also inherited ones and the defaults of interfaces. */
    public static List<ResourceMethod> all(Class<?> type) {
        Class<?> bean = ContainerMade.beanClass(type);
        return Arrays.stream(bean.getMethods())
                .filter(it -> !it.isSynthetic() && it.getDeclaringClass() != Object.class)
                .map(it -> new ResourceMethod(bean, it))
                .toList();
    }

    /** The class of which it is a method, by itself or by inheritance. */
    public Class<?> type() {
        return type;
    }

    public Method method() {
        return method;
    }

    /** The method itself, then what it overrides. */
    public List<Method> declarations() {
        return declarations;
    }

    /** The HTTP method that it answers, in upper case, if it is a resource method. */
    public Optional<String> httpMethod() {
        return httpMethods().stream().findFirst();
    }

    /** Every HTTP method that it answers: more than one is against the specification, and RESTEasy serves them all. */
    public List<String> httpMethods() {
        return annotated.map(ResourceMethod::designators).orElse(List.of());
    }

    private static List<String> designators(Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(it -> it.annotationType().getAnnotation(HttpMethod.class))
                .filter(Objects::nonNull)
                .map(it -> it.value().toUpperCase(Locale.ROOT)) // RESTEasy does the same
                .toList();
    }

    /** Whether it leads to a sub-resource. */
    public boolean isLocator() {
        return annotated.isPresent() && httpMethods().isEmpty();
    }

    /** Its own path, without the class's; empty for none. */
    public String path() {
        return annotated
                .map(it -> it.getAnnotation(Path.class))
                .map(Path::value)
                .orElse("");
    }

    /** Its own template, without the class's. */
    public PathTemplate template() {
        return PathTemplate.of(path());
    }

    /** What it returns, where the class says what a type variable stands for. */
    Type returned() {
        return Generics.of(type).resolve(method.getGenericReturnType());
    }

    /** The class of the sub-resource that a locator returns, or whose class it returns; Object where that is open. */
    public Class<?> located() {
        Generics generics = Generics.of(type);
        Class<?> raw = generics.erase(method.getGenericReturnType());
        if (raw != Class.class) {
            return raw;
        }
        return generics.resolve(method.getGenericReturnType()) instanceof ParameterizedType it
                ? generics.erase(it.getActualTypeArguments()[0])
                : Object.class;
    }

    /** Whether its work goes on after it has returned, other than by a returned stage. */
    public boolean outlivesItsReturn() {
        Class<?> returns = Generics.of(type).erase(method.getGenericReturnType());
        boolean isStage = CompletionStage.class.isAssignableFrom(returns);
        return (!isStage && (Future.class.isAssignableFrom(returns) || isAsynchronous()))
                || Injected.anySuspends(Injected.intoMembers(type))
                || declarations.stream().anyMatch(it -> Injected.anySuspends(Injected.intoParameters(type, it)));
    }

    private boolean isAsynchronous() {
        Set<Class<?>> seen = new LinkedHashSet<>();
        return Stream.<AnnotatedElement>concat(declarations.stream(), Hierarchy.of(type))
                .flatMap(it -> Arrays.stream(it.getAnnotations()))
                .anyMatch(it -> isAsynchronous(it.annotationType(), seen));
    }

    /** Such an annotation may stand inside a stereotype or another binding, to any depth. */
    private static boolean isAsynchronous(Class<? extends Annotation> annotation, Set<Class<?>> seen) {
        return ASYNCHRONOUS.contains(annotation.getName())
                || (seen.add(annotation)
                        && Arrays.stream(annotation.getAnnotations())
                                .anyMatch(it -> isAsynchronous(it.annotationType(), seen)));
    }

    /** Whether a form parameter is injected: into the method, the resource, or a bean parameter of either. */
    public boolean takesFormParameters() {
        return Injected.anyIsOfAForm(Injected.intoMembers(type))
                || declarations.stream().anyMatch(it -> Injected.anyIsOfAForm(Injected.intoParameters(type, it)));
    }

    /** What it produces: by its own annotation, its class's, or that of the class or interface that annotates it. */
    Optional<Produces> produces() {
        return annotated.stream()
                .flatMap(it -> Stream.<AnnotatedElement>of(it, type, it.getDeclaringClass()))
                .map(it -> it.getAnnotation(Produces.class))
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** The annotations with which its answer is written. */
    Annotation[] annotations() {
        return annotated.orElse(method).getAnnotations();
    }
}
