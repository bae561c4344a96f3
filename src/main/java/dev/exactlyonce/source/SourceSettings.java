package dev.exactlyonce.source;

import dev.exactlyonce.admission.KeyResolver;
import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import java.util.Optional;
import java.util.Set;

/**
 * One source: how the engine treats its deliveries, and how copies are answered.
 *
 * @param inFlightStatus 409, 425 or 503
 * @param bodyStandsIn whether the body's digest stands in for a part of the key that was not found
 * @param replayMaxSize how many bytes of an answer are kept for its duplicates at most; 0 to 1 MiB
 * @param screens what its messages are looked at for before their keys
 * @param dedupBody whether a body must be new, too, whatever its key is
 * @param challenge what its sender asks with a GET
 * @param urlValidation what is answered without a challenge
 * @param signed what its signature covers
 * @param separatesUnsignedIds whether a key with a part that is not signed has one record a body
 */
public record SourceSettings(
        SourcePolicy policy,
        int inFlightStatus,
        boolean bodyStandsIn,
        int replayMaxSize,
        MessageFilters screens,
        boolean dedupBody,
        Optional<Challenge> challenge,
        UrlValidation urlValidation,
        SignedValues signed,
        boolean separatesUnsignedIds) {
    public static final int MAX_REPLAY_SIZE = 1 << 20;

    private static final Set<Integer> IN_FLIGHT = Set.of(409, 425, 503);

    public SourceSettings {
        if (!IN_FLIGHT.contains(inFlightStatus)) {
            throw new IllegalArgumentException("in-flight-status must be 409, 425 or 503, was " + inFlightStatus);
        }
        if (replayMaxSize < 0 || replayMaxSize > MAX_REPLAY_SIZE) {
            throw new IllegalArgumentException(
                    "replay.max-size must be 0 to " + MAX_REPLAY_SIZE + ", was " + replayMaxSize);
        }
    }

    /** As {@link #policy(Optional, Optional)}, without a session. */
    public SourcePolicy policy(Optional<KeyExpressions> own) {
        return policy(own, Optional.empty());
    }

    /** The policy of a request: with its screens, and an annotation's own key and session expressions where it has some. */
    public SourcePolicy policy(Optional<KeyExpressions> own, Optional<SessionExpressions> session) {
        KeyResolver keys =
                own.<KeyResolver>map(it -> it.withBodyStandingIn(bodyStandsIn)).orElse(policy.keys());
        KeyResolver ofBody = dedupBody ? andBody(keys) : keys;
        KeyResolver both = session.map(it -> it.beside(ofBody)).orElse(ofBody);
        SourcePolicy keyed = both == policy.keys() && screens == MessageFilters.NONE
                ? policy
                : policy.withKeys(screens.before(both));
        return keys instanceof KeyExpressions it && separates(it)
                ? keyed.withFingerprint(FingerprintBy.SEPARATE)
                : keyed;
    }

    /**
     * Whether one key may come with two bodies that are both rightly signed: an attacker may have sent a captured delivery under
     * the id of another one.
     */
    private boolean separates(KeyExpressions keys) {
        return separatesUnsignedIds && signed.isAny() && !keys.areSigned(signed);
    }

    private static KeyResolver andBody(KeyResolver keys) {
        return (request, body) -> {
            Resolution found = keys.resolve(request, body);
            return found instanceof Resolution.KeyParts it ? it.andBodyToBeNew() : found;
        };
    }
}
