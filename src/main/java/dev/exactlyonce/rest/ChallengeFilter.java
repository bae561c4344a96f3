package dev.exactlyonce.rest;

import dev.exactlyonce.admission.Reply;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.Sources;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Answers a sender's GET challenge at the address of a bound method, whether or not the application has a method for a GET
 * there. Before matching, since mostly nothing would match.
 */
@PreMatching
public final class ChallengeFilter implements ContainerRequestFilter {
    /**
     * An address where deliveries of a source arrive, segment by segment: each is a text, or a parameter as a whole. A
     * template with more in a segment has no challenge: matching it could take long.
     */
    private record Address(List<String> segments, Binding binding) {
        static Stream<Address> of(Binding binding) {
            return binding.paths().addresses().stream().map(it -> new Address(split(it), binding));
        }

        boolean isPlain() {
            return segments.stream().allMatch(it -> isParameter(it) || !it.contains("{"));
        }

        Optional<String> source(List<String> path) {
            if (path.size() != segments.size()) {
                return Optional.empty();
            }
            String source = binding.source();
            for (int i = 0; i < path.size(); i++) {
                String segment = segments.get(i);
                if (!isParameter(segment) && !segment.equals(path.get(i))) {
                    return Optional.empty();
                }
                if (binding.sourceParameter().map(it -> "{" + it + "}").equals(Optional.of(segment))) {
                    source = path.get(i);
                }
            }
            return Optional.of(source);
        }

        private static boolean isParameter(String segment) {
            return segment.startsWith("{") && segment.indexOf('}') == segment.length() - 1;
        }

        static List<String> split(String path) {
            return Stream.of(path.split("/", -1)).filter(it -> !it.isEmpty()).toList();
        }
    }

    private final List<Address> addresses;
    private final Sources sources;

    public ChallengeFilter(Bindings bindings, Sources sources) {
        this.addresses = bindings.all().stream()
                .flatMap(Address::of)
                .filter(Address::isPlain)
                .toList();
        this.sources = sources;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        MultivaluedMap<String, String> query = request.getUriInfo().getQueryParameters();
        if (!request.getMethod().equals("GET") || query.isEmpty()) {
            return;
        }
        List<String> path = Address.split(request.getUriInfo().getPath());
        addresses.stream()
                .flatMap(it -> it.source(path).stream())
                .flatMap(it -> sources.find(it).stream())
                .flatMap(it -> answer(it, query).stream())
                .findFirst()
                .ifPresent(it -> request.abortWith(Answers.challenge(it)));
    }

    private static Optional<Reply> answer(SourceSettings source, MultivaluedMap<String, String> query) {
        return source.challenge().flatMap(it -> it.answer(name -> query.getOrDefault(name, List.of())));
    }
}
