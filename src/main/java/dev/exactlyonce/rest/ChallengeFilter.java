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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers a sender's GET challenge at the address of a bound method, where the application has no method for a GET. Before
 * matching, since nothing would match.
 */
@PreMatching
public final class ChallengeFilter implements ContainerRequestFilter {
    private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");

    /** An address where deliveries of a source arrive; its one group is the parameter that names the source. */
    private record Address(Pattern path, Binding binding) {
        static Address of(Binding binding) {
            StringBuilder path = new StringBuilder();
            Matcher parameters = PARAMETER.matcher(binding.template());
            int at = 0;
            while (parameters.find()) {
                boolean named = binding.sourceParameter().equals(Optional.of(parameters.group(1)));
                path.append(Pattern.quote(binding.template().substring(at, parameters.start())))
                        .append(named ? "([^/]+)" : "[^/]+");
                at = parameters.end();
            }
            return new Address(
                    Pattern.compile(path + Pattern.quote(binding.template().substring(at)) + "/?"), binding);
        }

        Optional<String> source(String path) {
            Matcher matcher = path().matcher(path);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            return Optional.of(matcher.groupCount() == 0 ? binding.source() : matcher.group(1));
        }
    }

    private final List<Address> addresses;
    private final Sources sources;

    public ChallengeFilter(Bindings bindings, Sources sources) {
        this.addresses = bindings.all().stream().map(Address::of).toList();
        this.sources = sources;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        MultivaluedMap<String, String> query = request.getUriInfo().getQueryParameters();
        if (!request.getMethod().equals("GET") || query.isEmpty()) {
            return;
        }
        String path = "/" + request.getUriInfo().getPath().replaceFirst("^/+", "");
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
