package dev.exactlyonce.rest;

import jakarta.ws.rs.core.UriInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The {@code @Path} templates that a request has matched, from the root class to the method. JAX-RS gives the instances
 * on the way and the path up to each of them; which locator leads from one instance to the next is worked out here.
 */
final class MatchedPath {
    /** A class's own path and its locators. */
    private record CandidateMatch(PathTemplate template, PathPattern pattern, List<Locator> locators) {
        static CandidateMatch of(Class<?> type) {
            String path = ResourceClass.path(type).orElse("");
            return new CandidateMatch(
                    PathTemplate.of(path),
                    PathPattern.of(path),
                    ResourceClass.locators(type).stream().map(Locator::of).toList());
        }
    }

    private record Locator(String name, PathTemplate template, PathPattern pattern, Predicate<Object> returns) {
        static Locator of(ResourceMethod it) {
            Class<?> located = it.located();
            return new Locator(it.method().getName(), it.template(), PathPattern.of(it.path()), located::isInstance);
        }

        /** Whether the other has the same template, with other regular expressions. */
        boolean sharesTemplateWith(Locator other) {
            return template.equals(other.template())
                    && !pattern.pattern()
                            .pattern()
                            .equals(other.pattern().pattern().pattern());
        }
    }

    /**
     * @param names of the root class and the locators, which differ where two ways have one template
     * @param isShared whether a class on the way has two locators of one template
     */
    private record MatchedTemplate(String template, String names, boolean isShared) {
        MatchedTemplate then(List<Locator> taken, List<Locator> all) {
            return new MatchedTemplate(
                    template + joined(taken, it -> it.template().text()),
                    names + "." + joined(taken, Locator::name),
                    isShared || all.stream().anyMatch(it -> taken.stream().anyMatch(it::sharesTemplateWith)));
        }

        private static String joined(List<Locator> locators, Function<Locator, String> text) {
            return locators.stream().map(text).distinct().sorted().collect(Collectors.joining("|"));
        }
    }

    private static final ClassValue<CandidateMatch> PLACES = new ClassValue<>() {
        @Override
        protected CandidateMatch computeValue(Class<?> type) {
            return CandidateMatch.of(type);
        }
    };

    private MatchedPath() {}

    /**
     * Without regular expressions, and with the names of the locators where another way has the same; the path as it was
     * sent, where the locators are not found: its copies have it, too.
     */
    static String of(UriInfo request, Binding binding) {
        List<Object> matched = request.getMatchedResources();
        if (matched.size() <= 1) {
            return binding.template();
        }
        Optional<MatchedTemplate> way = throughLocators(outermostFirst(matched), request);
        if (way.isEmpty()) {
            return "/" + PathTemplate.withoutOuterSlashes(request.getPath(false).replaceAll(";[^/]*", ""));
        }
        String template = way.get().template() + binding.paths().ofMethod();
        return way.get().isShared() || binding.paths().shared().contains(template)
                ? template + "@" + way.get().names()
                : template;
    }

    private static Optional<MatchedTemplate> throughLocators(List<Object> instances, UriInfo request) {
        List<String> paths = outermostFirst(request.getMatchedURIs(false)).stream()
                .map(PathTemplate::withoutOuterSlashes)
                .toList();
        Class<?> root = ContainerMade.beanClass(instances.get(0).getClass());
        CandidateMatch place = PLACES.get(root);
        if (paths.size() < instances.size() || !place.pattern().matches(paths.get(0))) {
            return Optional.empty();
        }
        MatchedTemplate way = new MatchedTemplate(place.template().text(), root.getName(), false);
        for (int i = 1; i < instances.size(); i++) {
            Object next = instances.get(i);
            List<Locator> locators = place.locators().stream()
                    .filter(it -> it.returns().test(next))
                    .toList();
            List<Locator> taken = rest(paths.get(i - 1), paths.get(i))
                    .map(it -> taken(locators, it, request.getPathParameters().keySet()))
                    .orElse(List.of());
            if (taken.isEmpty()) {
                return Optional.empty();
            }
            way = way.then(taken, place.locators());
            place = PLACES.get(ContainerMade.beanClass(next.getClass()));
        }
        return Optional.of(way);
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
     * The locator that matches, as JAX-RS chooses among several. Where its rules leave a choice, all that are left stand
     * for the one, so that it shares its keys with none of them.
     */
    private static List<Locator> taken(List<Locator> locators, String part, Set<String> parameters) {
        List<Locator> matching = locators.stream()
                .filter(it -> it.pattern().matches(part))
                .filter(it -> parameters.containsAll(it.template().parameters()))
                .toList();
        return matching.stream()
                .filter(it -> matching.stream()
                        .noneMatch(other -> PathPattern.PRECEDENCE.compare(other.pattern(), it.pattern()) < 0))
                .toList();
    }

    private static <T> List<T> outermostFirst(List<T> innermostFirst) {
        List<T> reversed = new ArrayList<>(innermostFirst);
        Collections.reverse(reversed);
        return reversed;
    }
}
