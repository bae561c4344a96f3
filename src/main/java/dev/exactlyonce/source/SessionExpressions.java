package dev.exactlyonce.source;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.KeyResolver;
import java.util.List;
import java.util.Set;

/** Finds the session of a delivery, beside the parts of its idempotency key. Immutable. */
public final class SessionExpressions {
    private final KeyExpressions expressions;
    private final boolean missingIsOwn;

    private SessionExpressions(KeyExpressions expressions, boolean missingIsOwn) {
        this.expressions = expressions;
        this.missingIsOwn = missingIsOwn;
    }

    /**
     * @param expressions one a part, at least one
     * @param missingIsOwn whether a delivery in which a part is missing has no session; else it is refused
     * @throws IllegalArgumentException naming the expression and what is allowed
     */
    public static SessionExpressions parse(List<String> expressions, boolean missingIsOwn) {
        return new SessionExpressions(KeyExpressions.parse("session", expressions, false), missingIsOwn);
    }

    /** The path parameters that the expressions name. */
    public Set<String> pathParameters() {
        return expressions.pathParameters();
    }

    /** The same keys, each with the delivery's session. */
    KeyResolver beside(KeyResolver keys) {
        return (request, body) -> {
            KeyResolver.Resolution found = keys.resolve(request, body);
            return found instanceof KeyResolver.Resolution.KeyParts it ? withSession(it, request, body) : found;
        };
    }

    private KeyResolver.Resolution withSession(
            KeyResolver.Resolution.KeyParts keys, DeliveryRequest request, byte[] body) {
        KeyExpressions.Parts session = expressions.find(request, body);
        if (session.malformed().isPresent()) {
            return new KeyResolver.Resolution.NoKey(session.malformed().get());
        }
        if (session.missing().isPresent()) {
            return missingIsOwn
                    ? keys
                    : new KeyResolver.Resolution.NoKey(session.missing().get());
        }
        return keys.inSession(session.found());
    }
}
