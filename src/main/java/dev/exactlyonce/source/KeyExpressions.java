package dev.exactlyonce.source;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.KeyResolver;
import dev.exactlyonce.spi.DeliveryKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the parts of an idempotency key by key expressions: one expression a part, its alternatives separated by {@code
 * |}; a missing or blank alternative tries the next. What is found is a part only when {@link DeliveryKey#fault} finds
 * nothing wrong with it: a malformed value is refused, never skipped. Immutable.
 */
public final class KeyExpressions implements KeyResolver {
    /** What a source without expressions of its own takes. */
    public static final List<String> DEFAULT = List.of("header:Idempotency-Key|header:webhook-id");

    private final List<KeyExpression> parts;
    private final boolean bodyStandsIn;

    private KeyExpressions(List<KeyExpression> parts, boolean bodyStandsIn) {
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
        return new KeyExpressions(expressions.stream().map(KeyExpression::parse).toList(), bodyStandsIn);
    }

    /** The same expressions with the other answer to a part that was not found. */
    KeyExpressions withBodyStandingIn(boolean standsIn) {
        return standsIn == bodyStandsIn ? this : new KeyExpressions(parts, standsIn);
    }

    /** The path parameters that the expressions name. */
    public Set<String> pathParameters() {
        return lookups()
                .filter(ValueSelector.PathSelector.class::isInstance)
                .map(lookup -> ((ValueSelector.PathSelector) lookup).name())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the signature itself is, or may be, a part of the key. */
    public boolean takeSignature() {
        return lookups().anyMatch(ValueSelector.SignatureSelector.class::isInstance);
    }

    /** Whether a signature that covers these places covers every part of the key, whichever alternative it is found in. */
    public boolean areSigned(SignedValues signed) {
        return lookups().allMatch(signed::cover);
    }

    private Stream<ValueSelector> lookups() {
        return parts.stream().flatMap(part -> part.alternatives().stream());
    }

    @Override
    public Resolution resolve(DeliveryRequest request, byte[] body) {
        Message message = new Message(request, body);
        List<String> found = new ArrayList<>(parts.size());
        for (KeyExpression part : parts) {
            ValueSelector.Value value = part.in(message, "idempotency key");
            if (value instanceof ValueSelector.Malformed unusable) {
                return new Resolution.NoKey(unusable.reason());
            } else if (value instanceof ValueSelector.Selected it) {
                found.add(it.text());
            } else if (bodyStandsIn) {
                found.add(message.digest());
            } else {
                return new Resolution.NoKey("No idempotency key: looked for " + part.expression() + ".");
            }
        }
        return new Resolution.KeyParts(found);
    }
}
