package dev.exactlyonce.deploy;

import dev.exactlyonce.rest.Binding;
import dev.exactlyonce.rest.ResourceClass;
import dev.exactlyonce.rest.ResourceMethod;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is wrong with the locators around bound classes: one of a class that is bound as a class may lead to a method that
 * is not, and one that leads to a bound class may take from the request what the key is read from.
 */
final class LocatorChecks {
    private final Map<Class<?>, Map<Method, Binding>> bound;
    private final ResourcePaths ways;
    private final BindingFaults faults;
    private final Set<String> warnings = new LinkedHashSet<>();

    LocatorChecks(Map<Class<?>, Map<Method, Binding>> bound, ResourcePaths ways, BindingFaults faults) {
        this.bound = bound;
        this.ways = ways;
        this.faults = faults;
    }

    /** What cannot be known before a request comes. */
    Set<String> warnings() {
        return warnings;
    }

    /** @param whole the classes that are bound as a class */
    void find(Set<Class<?>> whole) {
        whole.forEach(it -> below(it, it, new LinkedHashSet<>(whole)));
        bound.forEach((type, methods) -> {
            if (!methods.isEmpty()) {
                ways.leadingTo(type).forEach(it -> ofRequest(it, type));
            }
        });
    }

    private void below(Class<?> root, Class<?> type, Set<Class<?>> seen) {
        for (ResourceMethod locator : ResourceClass.locators(type)) {
            Class<?> target = locator.located();
            if (isOpen(target)) {
                warnings.add(BindingFaults.name(locator.method()) + " leads from " + root.getName()
                        + ", which is bound as a class, and its return type " + target.getSimpleName()
                        + " does not say where to: a POST, PUT, PATCH or DELETE that reaches a method without @ExactlyOnce"
                        + " there is answered 500, and turns readiness DOWN");
                continue;
            }
            unbound(target).stream()
                    .findFirst()
                    .ifPresent(it -> faults.add(
                            locator.method(),
                            "leads from " + root.getName() + ", which is bound as a class, to "
                                    + BindingFaults.name(it.method())
                                    + ", which is not, so nothing would admit its deliveries; put"
                                    + " @ExactlyOnce there, or on the methods of " + root.getSimpleName()
                                    + " in place of the class"));
            if (seen.add(target)) {
                below(root, target, seen);
            }
        }
    }

    /** Whether another class may come than the one that is declared. */
    private boolean isOpen(Class<?> target) {
        return Modifier.isAbstract(target.getModifiers()) // an interface, too
                || target == Object.class
                || bound.keySet().stream().anyMatch(it -> it != target && target.isAssignableFrom(it));
    }

    private List<ResourceMethod> unbound(Class<?> target) {
        Map<Method, Binding> methods = bound.getOrDefault(target, Map.of());
        return ResourceMethod.all(target).stream()
                .filter(it -> it.httpMethods().stream().anyMatch(BindingScanner::covers))
                .filter(it -> !methods.containsKey(it.method()))
                .toList();
    }

    private void ofRequest(ResourceMethod locator, Class<?> type) {
        if (locator.takesFormParameters()) {
            faults.add(
                    locator.method(),
                    "leads to " + type.getName()
                            + " and takes a @FormParam, itself or its class, so that the body is read"
                            + " before the key is looked for; take the form as the entity of the bound method");
        }
        if (locator.outlivesItsReturn()) {
            faults.add(
                    locator.method(),
                    "leads to " + type.getName() + " and is asynchronous (@Suspended, @Asynchronous, an event sink or a"
                            + " Future); return the sub-resource itself");
        }
    }
}
