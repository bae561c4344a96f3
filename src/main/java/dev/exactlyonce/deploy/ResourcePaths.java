package dev.exactlyonce.deploy;

import dev.exactlyonce.rest.PathTemplate;
import dev.exactlyonce.rest.ResourceClass;
import dev.exactlyonce.rest.ResourceMethod;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ways on which requests reach a class: as a root resource, and through the locators of the classes that are known. */
final class ResourcePaths {
    /** Of a class that many lead to, more ways are not looked at. */
    private static final int MOST = 256;

    /** Ways through more locators are not looked at. */
    private static final int LONGEST = 6;

    /**
     * A way from a root class to a class.
     *
     * @param template the paths of the root class and of the locators
     * @param paths the same with their regular expressions
     */
    record ResourcePath(PathTemplate template, String paths, List<ResourceMethod> locators) {
        static ResourcePath of(String rootPath) {
            return new ResourcePath(PathTemplate.of(rootPath), rootPath, List.of());
        }

        private ResourcePath through(ResourceMethod locator) {
            List<ResourceMethod> all = new ArrayList<>(locators);
            all.add(locator);
            return new ResourcePath(template.then(locator.template()), pathsTo(locator), List.copyOf(all));
        }

        private String pathsTo(ResourceMethod method) {
            return Stream.of(paths, method.path())
                    .flatMap(it -> Stream.of(it.split("/")))
                    .filter(it -> !it.isEmpty())
                    .collect(Collectors.joining("/"));
        }

        private String textTo(ResourceMethod method) {
            return template.then(method.template()).text();
        }

        /** For messages: where it leads along. */
        String description() {
            return locators.isEmpty()
                    ? "its @Path"
                    : "the path " + template.text() + " through "
                            + BindingFaults.name(
                                    locators.get(locators.size() - 1).method());
        }
    }

    private final Map<Class<?>, List<ResourceMethod>> locators = new LinkedHashMap<>();
    private final Map<Class<?>, List<ResourcePath>> certain = new HashMap<>();
    private final Set<String> shared;

    ResourcePaths(Collection<Class<?>> resources) {
        List<ResourceMethod> methods = new ArrayList<>();
        for (Class<?> type : resources) {
            List<ResourceMethod> all = Modifier.isAbstract(type.getModifiers()) ? List.of() : methodsOf(type);
            List<ResourceMethod> found =
                    all.stream().filter(ResourceMethod::isLocator).toList();
            if (!found.isEmpty()) {
                locators.put(type, found);
            }
            all.stream().filter(it -> !it.httpMethods().isEmpty()).forEach(methods::add);
        }
        this.shared = shared(methods);
    }

    private static List<ResourceMethod> methodsOf(Class<?> type) {
        try {
            return ResourceMethod.all(type);
        } catch (LinkageError incomplete) { // an API that it names is not there: JAX-RS cannot serve it, either
            return List.of();
        }
    }

    private Set<String> shared(List<ResourceMethod> methods) {
        Map<String, Set<String>> paths = new LinkedHashMap<>();
        for (ResourceMethod method : methods) {
            for (ResourcePath way : certain(method.type())) {
                paths.computeIfAbsent(way.textTo(method), it -> new LinkedHashSet<>())
                        .add(way.pathsTo(method));
            }
        }
        paths.values().removeIf(it -> it.size() == 1);
        return Set.copyOf(paths.keySet());
    }

    /** The templates that several ways have, which differ in their regular expressions alone. */
    Set<String> shared() {
        return shared;
    }

    /** The ways that follow from the declarations: none for a class that is reached through open locators alone. */
    List<ResourcePath> certain(Class<?> type) {
        List<ResourcePath> known = certain.get(type);
        if (known == null) {
            known = List.copyOf(certain(type, Set.of()));
            certain.put(type, known);
        }
        return known;
    }

    private List<ResourcePath> certain(Class<?> type, Set<Class<?>> passed) {
        List<ResourcePath> ways = new ArrayList<>();
        ResourceClass.path(type).map(ResourcePath::of).ifPresent(ways::add);
        Set<Class<?>> next = new LinkedHashSet<>(passed);
        next.add(type);
        locators.forEach((from, found) -> {
            if (next.size() <= LONGEST && !next.contains(from)) {
                found.stream()
                        .filter(it -> it.located() == type)
                        .flatMap(it -> certain(from, next).stream().map(way -> way.through(it)))
                        .limit(MOST - Math.min(MOST, ways.size()))
                        .forEach(ways::add);
            }
        });
        return ways;
    }

    /** The locators whose declaration leads to the class. */
    List<ResourceMethod> leadingTo(Class<?> type) {
        return locators.values().stream()
                .flatMap(List::stream)
                .filter(it -> it.located() == type)
                .toList();
    }

    /** The locators that may stand on a way to the class, the open ones included. */
    List<ResourceMethod> possible(Class<?> type) {
        Set<Class<?>> seen = new LinkedHashSet<>(Set.of(type));
        Deque<Class<?>> open = new ArrayDeque<>(seen);
        List<ResourceMethod> found = new ArrayList<>();
        while (!open.isEmpty()) {
            Class<?> to = open.remove();
            locators.forEach((from, all) -> {
                List<ResourceMethod> leading = all.stream()
                        .filter(it -> it.located().isAssignableFrom(to))
                        .toList();
                found.addAll(leading);
                if (!leading.isEmpty() && seen.add(from)) {
                    open.add(from);
                }
            });
        }
        return found.stream().distinct().toList();
    }

    /** The path parameters that a request to the class may have from possible ways. */
    Set<String> possibleParameters(Class<?> type) {
        Set<String> names = new LinkedHashSet<>();
        for (ResourceMethod it : possible(type)) {
            names.addAll(it.template().parameters());
            ResourceClass.path(it.type())
                    .ifPresent(path -> names.addAll(PathTemplate.of(path).parameters()));
        }
        return names;
    }
}
