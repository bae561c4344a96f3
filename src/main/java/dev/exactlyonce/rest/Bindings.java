package dev.exactlyonce.rest;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every bound bean class of the application and its bound methods. Filter and interceptor read this one table. Only what
 * has a filter is ever added to it; thread-safe.
 */
public final class Bindings {
    /** A method by its signature: the container's subclasses redeclare it. */
    private record MethodSignature(String name, List<Class<?>> parameters) {
        static MethodSignature of(Method method) {
            return new MethodSignature(method.getName(), Arrays.asList(method.getParameterTypes()));
        }
    }

    private final Map<Class<?>, Map<MethodSignature, Binding>> byClass;
    private final Set<Class<?>> whole;
    private final Set<Binding> filtered = ConcurrentHashMap.newKeySet();

    private Bindings(Map<Class<?>, Map<MethodSignature, Binding>> byClass, Set<Class<?>> whole) {
        this.byClass = byClass;
        this.whole = whole;
    }

    /**
     * @param byClass for each bound bean class, its bound methods; a class may have none
     * @param whole those among them that are bound as a class
     */
    public static Bindings of(Map<Class<?>, Map<Method, Binding>> byClass, Set<Class<?>> whole) {
        var copy = new java.util.HashMap<Class<?>, Map<MethodSignature, Binding>>();
        byClass.forEach((type, methods) -> {
            var bySignature = new java.util.HashMap<MethodSignature, Binding>();
            methods.forEach((method, binding) -> bySignature.put(MethodSignature.of(method), binding));
            copy.put(type, Map.copyOf(bySignature));
        });
        return new Bindings(Map.copyOf(copy), Set.copyOf(whole));
    }

    /** Every binding, each once. */
    Set<Binding> all() {
        return byClass.values().stream().flatMap(it -> it.values().stream()).collect(Collectors.toSet());
    }

    /** Whether any method serialises its deliveries. */
    public boolean haveSessions() {
        return all().stream().anyMatch(it -> it.session().isPresent());
    }

    /** The binding of this method of this class, or of the bean class that the container made it from. */
    public Optional<Binding> find(Class<?> type, Method method) {
        return Optional.ofNullable(beanClass(type)).map(byClass::get).map(it -> it.get(MethodSignature.of(method)));
    }

    /** Whether the class, or the one that the container made it from, is a bound bean. */
    public boolean knows(Class<?> type) {
        return beanClass(type) != null;
    }

    /** Whether the class, or the one that the container made it from, is bound as a class. */
    public boolean coversClass(Class<?> type) {
        Class<?> bean = beanClass(type);
        return bean != null && whole.contains(bean);
    }

    /** JAX-RS has put the filter before the binding's method. */
    public void filterIsThere(Binding binding) {
        filtered.add(binding);
    }

    /** Whether requests to the binding's method are prepared by the filter at all. */
    public boolean isFiltered(Binding binding) {
        return filtered.contains(binding);
    }

    private @Nullable Class<?> beanClass(Class<?> type) {
        for (Class<?> it = type; it != null; it = it.getSuperclass()) {
            if (byClass.containsKey(it)) {
                return it;
            }
        }
        return null;
    }
}
