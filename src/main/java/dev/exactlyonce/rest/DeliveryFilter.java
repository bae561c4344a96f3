package dev.exactlyonce.rest;

import dev.exactlyonce.admission.AdmissionEngine;
import dev.exactlyonce.admission.MalformedQueryException;
import dev.exactlyonce.admission.Preparation;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.Sources;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns a request to one bound method into a prepared delivery, after authorization and before the entity is read; what
 * the method's instance must be was checked before. It never touches the store.
 */
@Priority(DeliveryFilter.PRIORITY)
public final class DeliveryFilter implements ContainerRequestFilter {
    /** After authorization. */
    public static final int PRIORITY = Priorities.AUTHORIZATION + 100;

    private static final System.Logger LOG = System.getLogger(DeliveryFilter.class.getName());

    private final Binding binding;
    private final Sources sources;
    private final AdmissionEngine engine;
    private final AnswerWriter answers;
    private final RequestDelivery current;
    private final ContainerQuery queries = new ContainerQuery();
    private final UnregisteredCodings codings;

    /** By the source's name: of the one source, or of each that the path parameter may name. */
    private final Map<String, SourcePolicy> policies;

    /**
     * @param answers writes what the method returns
     * @param current the request-scoped bean's proxy
     * @param codings hears of bodies whose encoding is not registered
     */
    public DeliveryFilter(
            Binding binding,
            Sources sources,
            AdmissionEngine engine,
            AnswerWriter answers,
            RequestDelivery current,
            UnregisteredCodings codings) {
        this.binding = binding;
        this.sources = sources;
        this.engine = engine;
        this.answers = answers;
        this.current = current;
        this.codings = codings;
        Set<String> names = binding.sourceParameter().isPresent() ? sources.names() : Set.of(binding.source());
        this.policies = names.stream()
                .flatMap(name -> sources.find(name).stream())
                .map(it -> it.policy(binding.keys(), binding.session()).withMode(binding.mode()))
                .collect(Collectors.toUnmodifiableMap(SourcePolicy::name, Function.identity()));
    }

    @Override
    public void filter(ContainerRequestContext context) {
        Response refusal;
        try {
            refusal = prepare(context);
        } catch (AnnouncedBody.AlreadyReadException gone) {
            LOG.log(
                    Level.ERROR,
                    "EXON0420 {0} {1}: the body was read before its key could be looked for; no servlet or other filter, and"
                            + " no locator with a @FormParam, may read it",
                    binding.httpMethod(),
                    binding.template());
            refusal = Responses.fault();
        } catch (IOException unreadable) {
            LOG.log(Level.DEBUG, "the body could not be read", unreadable);
            refusal = Responses.unreadable();
        } catch (MalformedQueryException malformed) {
            LOG.log(
                    Level.WARNING,
                    "EXON0470 {0} {1}: refused, the query cannot be read",
                    binding.httpMethod(),
                    binding.template());
            refusal = Responses.malformedQuery();
        } catch (RuntimeException fault) {
            LOG.log(Level.ERROR, "EXON0402 a delivery could not be prepared", fault);
            refusal = Responses.fault();
        }
        if (refusal != null) {
            context.abortWith(refusal);
        }
    }

    private @Nullable Response prepare(ContainerRequestContext context) throws IOException {
        String name = sourceName(context);
        Optional<SourceSettings> source = sources.find(name);
        if (source.isEmpty()) {
            return Responses.sourceNotDeclared();
        }
        SourcePolicy policy = Objects.requireNonNull(policies.get(name));
        JaxRsRequest request = new JaxRsRequest(context, endpoint(context), queries);
        switch (ContentCoding.of(request.header("Content-Encoding"))) {
            case ENCODED -> {
                return Responses.encoded();
            }
            case UNREGISTERED -> codings.noticed(policy.name());
            case IDENTITY -> {
                // as almost every delivery is
            }
        }
        return engine.prepare(request, policy).fold(new Preparation.PreparationVisitor<@Nullable Response>() {
            @Override
            @SuppressWarnings("NullAway") // a type argument's own nullness is beyond it
            public @Nullable Response ready(Preparation.Ready it) {
                context.setEntityStream(new ByteArrayInputStream(it.body()));
                current.prepare(binding, source.get(), it.delivery(), answers);
                return null;
            }

            @Override
            public Response tooLarge(Preparation.TooLarge it) {
                return Responses.tooLarge(it);
            }

            @Override
            public Response unverified(Preparation.Unverified it) {
                return Responses.unverified();
            }

            @Override
            public Response unkeyed(Preparation.Unkeyed it) {
                return Responses.unkeyed(it);
            }

            @Override
            public Response answered(Preparation.Answered it) {
                return Responses.reply(it.reply());
            }
        });
    }

    private String endpoint(ContainerRequestContext context) {
        UriInfo uri = context.getUriInfo();
        return binding.endpoint(uri.getBaseUri().getPath(), MatchedPath.of(uri, binding));
    }

    private String sourceName(ContainerRequestContext context) {
        return binding.sourceParameter()
                .map(it -> context.getUriInfo().getPathParameters().getFirst(it))
                .orElse(binding.source());
    }
}
