package dev.exactlyonce.source;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.KeyResolver;
import dev.exactlyonce.spi.DeliveryKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    private final String what;
    private final List<KeyExpression> parts;
    private final boolean bodyStandsIn;

    private KeyExpressions(String what, List<KeyExpression> parts, boolean bodyStandsIn) {
        this.what = what;
        this.parts = parts;
        this.bodyStandsIn = bodyStandsIn;
    }

    /**
     * The parts that were found.
     *
     * @param found all of them, unless one is missing or malformed
     */
    record Parts(List<String> found, Optional<String> missing, Optional<String> malformed) {
        static Parts missing(String reason) {
            return new Parts(List.of(), Optional.of(reason), Optional.empty());
        }

        static Parts malformed(String reason) {
            return new Parts(List.of(), Optional.empty(), Optional.of(reason));
        }
    }

    /**
     * @param expressions one a part, at least one
     * @param bodyStandsIn whether the body's digest stands in for a part that was not found
     * @throws IllegalArgumentException naming the expression and what is allowed
     */
    public static KeyExpressions parse(List<String> expressions, boolean bodyStandsIn) {
        return parse("idempotency key", expressions, bodyStandsIn);
    }

    /** @param what they find, in a refusal */
    static KeyExpressions parse(String what, List<String> expressions, boolean bodyStandsIn) {
        if (expressions.isEmpty()) {
            throw new IllegalArgumentException("the " + what + " needs at least one expression");
        }
        return new KeyExpressions(
                what, expressions.stream().map(KeyExpression::parse).toList(), bodyStandsIn);
    }

    /** The same expressions with the other answer to a part that was not found. */
    KeyExpressions withBodyStandingIn(boolean standsIn) {
        return standsIn == bodyStandsIn ? this : new KeyExpressions(what, parts, standsIn);
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
        Parts found = find(request, body);
        return found.malformed()
                .or(found::missing)
                .<Resolution>map(Resolution.NoKey::new)
                .orElseGet(() -> new Resolution.KeyParts(found.found()));
    }

    Parts find(DeliveryRequest request, byte[] body) {
        Message message = new Message(request, body);
        List<String> found = new ArrayList<>(parts.size());
        for (KeyExpression part : parts) {
            ValueSelector.Value value = part.in(message, what);
            if (value instanceof ValueSelector.Malformed unusable) {
                return Parts.malformed(unusable.reason());
            } else if (value instanceof ValueSelector.Selected it) {
                found.add(it.text());
            } else if (bodyStandsIn) {
                found.add(message.digest());
            } else {
                return Parts.missing("No " + what + ": looked for " + part.expression() + ".");
            }
        }
        return new Parts(found, Optional.empty(), Optional.empty());
    }
}
