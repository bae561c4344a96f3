package dev.exactlyonce.rest;

import dev.exactlyonce.admission.MalformedQueryException;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.Sources;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Answers a sender's GET challenge at the address of a bound method, whether or not the application has a method for a GET
 * there. Before matching, since mostly nothing would match.
 */
@PreMatching
public final class ChallengeFilter implements ContainerRequestFilter {
    private static final System.Logger LOG = System.getLogger(ChallengeFilter.class.getName());

    /**
     * An address where deliveries of a source arrive, segment by segment: each is a text, or a parameter as a whole. A
     * template with more in a segment has no challenge: matching it could take long.
     */
    private record Address(List<String> segments, Binding binding) {
        static Address of(Binding binding) {
            return new Address(split(binding.template()), binding);
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
    private final ContainerQuery queries = new ContainerQuery();

    public ChallengeFilter(Bindings bindings, Sources sources) {
        this.addresses = bindings.all().stream()
                .map(Address::of)
                .filter(Address::isPlain)
                .toList();
        this.sources = sources;
    }

    /** The method comes first: the query of any other request is not looked at. */
    @Override
    public void filter(ContainerRequestContext request) {
        if (!request.getMethod().equals("GET")) {
            return;
        }
        List<String> path = Address.split(request.getUriInfo().getPath());
        List<SourceSettings> asked = addresses.stream()
                .flatMap(it -> it.source(path).stream())
                .flatMap(it -> sources.find(it).stream())
                .filter(it -> it.challenge().isPresent())
                .toList();
        if (asked.isEmpty()) {
            return;
        }
        try {
            SentQuery query = queries.of(request.getUriInfo());
            asked.stream()
                    .flatMap(it -> it.challenge().flatMap(challenge -> challenge.answer(query::values)).stream())
                    .findFirst()
                    .ifPresent(it -> request.abortWith(Answers.reply(it)));
        } catch (MalformedQueryException malformed) {
            LOG.log(Level.WARNING, "EXON0471 a challenge was refused, its query cannot be read");
            request.abortWith(Answers.malformedQuery());
        }
    }
}
