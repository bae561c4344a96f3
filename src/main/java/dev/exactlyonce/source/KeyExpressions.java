package dev.exactlyonce.source;

import dev.exactlyonce.admission.DeliveryKey;
import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.Digests;
import dev.exactlyonce.admission.KeyResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the parts of an idempotency key by key expressions: one expression a part, its alternatives separated by {@code
 * |}; a missing or blank alternative tries the next. What is found is a part only when {@link DeliveryKey#fault} finds
 * nothing wrong with it: a malformed value is refused, never skipped. Immutable.
 */
public final class KeyExpressions implements KeyResolver {
    /** What a source without expressions of its own takes. */
    public static final List<String> DEFAULT = List.of("header:Idempotency-Key|header:webhook-id");

    private final List<Place> parts;
    private final boolean bodyStandsIn;

    private KeyExpressions(List<Place> parts, boolean bodyStandsIn) {
        this.parts = parts;
        this.bodyStandsIn = bodyStandsIn;
    }

    /**
     * @param expressions one a part, at least one
     * @param bodyStandsIn whether the body's digest stands in for a part that was not found
     * @throws IllegalArgumentException naming the expression and what is allowed
     */
    public static KeyExpressions parse(List<String> expressions, boolean bodyStandsIn) {
        if (expressions.isEmpty()) {
            throw new IllegalArgumentException("a key needs at least one expression");
        }
        return new KeyExpressions(expressions.stream().map(Place::parse).toList(), bodyStandsIn);
    }

    /** The same expressions with the other answer to a part that was not found. */
    KeyExpressions withBodyStandingIn(boolean standsIn) {
        return standsIn == bodyStandsIn ? this : new KeyExpressions(parts, standsIn);
    }

    /** The path parameters that the expressions name. */
    public Set<String> pathParameters() {
        return parts.stream()
                .flatMap(part -> part.alternatives().stream())
                .filter(Lookup.Path.class::isInstance)
                .map(lookup -> ((Lookup.Path) lookup).name())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Resolution resolve(DeliveryRequest request, byte[] body) {
        Message message = new Message(request, body);
        List<String> found = new ArrayList<>(parts.size());
        for (Place part : parts) {
            Lookup.Value value = part.in(message, "idempotency key");
            if (value instanceof Lookup.Unusable unusable) {
                return new Resolution.Unusable(unusable.reason());
            } else if (value instanceof Lookup.Found it) {
                found.add(it.text());
            } else if (bodyStandsIn) {
                found.add(Digests.sha256Hex(body));
            } else {
                return new Resolution.Unusable("No idempotency key: looked for " + part.expression() + ".");
            }
        }
        return new Resolution.Found(found);
    }
}
