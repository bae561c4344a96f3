package dev.exactlyonce.rest;

import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.Sources;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The addresses of the bound methods, for requests that match none of them. Immutable. */
final class BoundAddresses {
    /**
     * An address where deliveries of a source arrive, segment by segment: each is a text, or a parameter as a whole. A
     * template with more in a segment is left out: matching it could take long.
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

    BoundAddresses(Bindings bindings, Sources sources) {
        this.addresses = bindings.all().stream()
                .map(Address::of)
                .filter(Address::isPlain)
                .toList();
        this.sources = sources;
    }

    /** The sources whose deliveries arrive at this address. */
    Stream<SourceSettings> sources(UriInfo uri) {
        List<String> path = Address.split(uri.getPath());
        return addresses.stream().flatMap(it -> it.source(path).stream()).flatMap(it -> sources.find(it).stream());
    }
}
