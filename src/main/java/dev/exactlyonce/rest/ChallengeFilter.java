package dev.exactlyonce.rest;

import dev.exactlyonce.admission.MalformedQueryException;
import dev.exactlyonce.source.Challenge;
import dev.exactlyonce.source.Sources;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;

/**
 * Answers a sender's challenge at the address of a bound method, whether or not the application has a method for it there. Before matching, since mostly nothing would match.
 */
@PreMatching
public final class ChallengeFilter implements ContainerRequestFilter {
    private static final System.Logger LOG = System.getLogger(ChallengeFilter.class.getName());

    private final BoundAddresses addresses;
    private final Set<String> methods;
    private final ContainerQuery queries = new ContainerQuery();

    public ChallengeFilter(Bindings bindings, Sources sources) {
        this.addresses = new BoundAddresses(bindings, sources);
        this.methods = sources.challengeMethods();
    }

    /** The query of a request that asks no source with a challenge is not looked at. */
    @Override
    public void filter(ContainerRequestContext request) {
        if (!methods.contains(request.getMethod())) {
            return;
        }
        List<Challenge> challenges = addresses
                .sources(request.getUriInfo())
                .flatMap(it -> it.challenge().stream())
                .filter(it -> it.method().equals(request.getMethod()))
                .toList();
        if (challenges.isEmpty()) {
            return;
        }
        try {
            RawQuery query = queries.of(request.getUriInfo());
            challenges.stream()
                    .flatMap(it -> it.answer(query::values, name -> values(request, name)).stream())
                    .findFirst()
                    .ifPresent(it -> request.abortWith(Responses.challenge(it)));
        } catch (MalformedQueryException malformed) {
            LOG.log(Level.WARNING, "EXON0471 a challenge was refused, its query cannot be read");
            request.abortWith(Responses.malformedQuery());
        }
    }

    private static List<String> values(ContainerRequestContext request, String header) {
        return request.getHeaders().getOrDefault(header, List.of());
    }
}
