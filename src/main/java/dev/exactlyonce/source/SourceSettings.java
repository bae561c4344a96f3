package dev.exactlyonce.source;

import dev.exactlyonce.admission.SourcePolicy;
import java.util.Optional;
import java.util.Set;

/**
 * One source: how the engine treats its deliveries, and how a copy of a running one is answered.
 *
 * @param inFlightStatus 409, 425 or 503
 * @param bodyStandsIn whether the body's digest stands in for a part of the key that was not found
 */
public record SourceSettings(SourcePolicy policy, int inFlightStatus, boolean bodyStandsIn) {
    private static final Set<Integer> IN_FLIGHT = Set.of(409, 425, 503);

    public SourceSettings {
        if (!IN_FLIGHT.contains(inFlightStatus)) {
            throw new IllegalArgumentException("in-flight-status must be 409, 425 or 503, was " + inFlightStatus);
        }
    }

    /** The policy with an annotation's own key expressions, where it has some. */
    public SourcePolicy policy(Optional<KeyExpressions> own) {
        return own.map(keys -> policy.withKeys(keys.withBodyStandingIn(bodyStandsIn)))
                .orElse(policy);
    }
}
