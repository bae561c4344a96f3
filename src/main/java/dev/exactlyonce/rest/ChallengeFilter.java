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

/**
 * Answers a sender's GET challenge at the address of a bound method, whether or not the application has a method for a GET
 * there. Before matching, since mostly nothing would match.
 */
@PreMatching
public final class ChallengeFilter implements ContainerRequestFilter {
    private final BoundAddresses addresses;

    public ChallengeFilter(Bindings bindings, Sources sources) {
        this.addresses = new BoundAddresses(bindings, sources);
    }

    @Override
    public void filter(ContainerRequestContext request) {
        MultivaluedMap<String, String> query = request.getUriInfo().getQueryParameters();
        if (!request.getMethod().equals("GET") || query.isEmpty()) {
            return;
        }
        addresses
                .sources(request.getUriInfo())
                .flatMap(it -> answer(it, query).stream())
                .findFirst()
                .ifPresent(it -> request.abortWith(Answers.challenge(it)));
    }

    private static Optional<Reply> answer(SourceSettings source, MultivaluedMap<String, String> query) {
        return source.challenge().flatMap(it -> it.answer(name -> query.getOrDefault(name, List.of())));
    }
}
