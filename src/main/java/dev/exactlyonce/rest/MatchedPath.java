package dev.exactlyonce.rest;

import jakarta.ws.rs.core.UriInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The {@code @Path} templates that a request has matched, from the root class to the method. JAX-RS tells the instances
 * on the way and the path up to each of them; which locator leads from one instance to the next is worked out here.
 */
final class MatchedPath {
    /** A class's own path and its locators. */
    private record Place(PathTemplate template, PathPattern pattern, List<Locator> locators) {
        static Place of(Class<?> type) {
            String path = ResourceClass.path(type).orElse("");
            return new Place(
                    PathTemplate.of(path),
                    PathPattern.of(path),
                    ResourceClass.locators(type).stream().map(Locator::of).toList());
        }
    }

    private record Locator(PathTemplate template, PathPattern pattern, Predicate<Object> returns) {
        static Locator of(ResourceMethod it) {
            Class<?> located = it.located();
            return new Locator(it.template(), PathPattern.of(it.path()), located::isInstance);
        }
    }

    private static final ClassValue<Place> PLACES = new ClassValue<>() {
        @Override
        protected Place computeValue(Class<?> type) {
            return Place.of(type);
        }
    };

    private MatchedPath() {}

    /** Without regular expressions; the path as it was sent, where the locators cannot be told: its copies have it, too. */
    static String of(UriInfo request, Binding binding) {
        List<Object> instances = outermostFirst(request.getMatchedResources());
        if (instances.size() <= 1) {
            return binding.template();
        }
        return throughLocators(instances, request)
                .map(it -> it + binding.paths().ofMethod())
                .orElseGet(() -> "/"
                        + PathTemplate.withoutOuterSlashes(
                                request.getPath(false).replaceAll(";[^/]*", "")));
    }

    private static Optional<String> throughLocators(List<Object> instances, UriInfo request) {
        List<String> paths = outermostFirst(request.getMatchedURIs(false)).stream()
                .map(PathTemplate::withoutOuterSlashes)
                .toList();
        Place place = place(instances.get(0));
        if (paths.size() < instances.size() || !place.pattern().matches(paths.get(0))) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder(place.template().text());
        for (int i = 1; i < instances.size(); i++) {
            Object next = instances.get(i);
            List<Locator> locators = place.locators().stream()
                    .filter(it -> it.returns().test(next))
                    .toList();
            Optional<String> template = rest(paths.get(i - 1), paths.get(i))
                    .flatMap(it ->
                            template(locators, it, request.getPathParameters().keySet()));
            if (template.isEmpty()) {
                return Optional.empty();
            }
            text.append(template.get());
            place = place(next);
        }
        return Optional.of(text.toString());
    }

    private static Place place(Object instance) {
        return PLACES.get(ContainerMade.beanClass(instance.getClass()));
    }

    /** What follows the beginning; nothing where it is none. */
    private static Optional<String> rest(String beginning, String path) {
        if (beginning.isEmpty() || path.equals(beginning)) {
            return Optional.of(path.substring(beginning.length()));
        }
        return path.startsWith(beginning + "/")
                ? Optional.of(path.substring(beginning.length() + 1))
                : Optional.empty();
    }

    /**
     * The template of the locator that matches, as JAX-RS chooses among several. Where its rules leave a choice, all that
     * are left stand for the one, so that it shares its keys with none of them.
     */
    private static Optional<String> template(List<Locator> locators, String part, Set<String> parameters) {
        List<Locator> matching = locators.stream()
                .filter(it -> it.pattern().matches(part))
                .filter(it -> parameters.containsAll(it.template().parameters()))
                .toList();
        return matching.stream()
                .map(Locator::pattern)
                .min(PathPattern.PRECEDENCE)
                .map(first -> matching.stream()
                        .filter(it -> PathPattern.PRECEDENCE.compare(it.pattern(), first) == 0)
                        .map(it -> it.template().text())
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining("|")));
    }

    private static <T> List<T> outermostFirst(List<T> innermostFirst) {
        List<T> reversed = new ArrayList<>(innermostFirst);
        Collections.reverse(reversed);
        return reversed;
    }
}
