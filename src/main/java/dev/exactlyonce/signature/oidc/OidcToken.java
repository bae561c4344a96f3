package dev.exactlyonce.signature.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;
import java.net.MalformedURLException;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/**
 * A bearer token of OpenID Connect, RS256, in {@code Authorization}: it proves who sends, and not what. The issuer's keys are
 * fetched when they are needed and kept for an hour; one that is not known is looked for at most every 30 s, and while the
 * issuer cannot be reached those that were known count. Thread-safe.
 *
 * <p>A token that cannot be checked since the keys cannot be had is refused: the sender comes again.
 */
public final class OidcToken implements DeliveryVerifier {
    private static final String SCHEME = "bearer ";
    private static final int LONGEST = 16_384;
    private static final int TIMEOUT_MILLIS = 2_000;
    private static final int MOST_BYTES_OF_KEYS = 65_536;
    private static final Duration KEYS_STAY = Duration.ofHours(1);
    private static final Duration KEYS_STAY_IN_AN_OUTAGE = Duration.ofDays(1);

    private static final Verification NO_TOKEN = Verification.refused("the bearer token is missing or repeated");
    private static final Verification MALFORMED = Verification.refused("the bearer token is malformed");
    private static final Verification NO_KEYS = Verification.refused("the keys of the token's issuer cannot be had");
    private static final Verification WRONG =
            Verification.refused("the bearer token is expired, of another issuer, for another audience or not signed");

    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    public OidcToken(OidcSettings settings, InstantSource clock) {
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(JWSAlgorithm.RS256, keys(settings)));
        processor.setJWTClaimsSetVerifier(new SenderClaims(settings, clock));
    }

    private static JWKSource<SecurityContext> keys(OidcSettings settings) {
        try {
            return JWKSourceBuilder.<SecurityContext>create(
                            settings.keys().toURL(),
                            new DefaultResourceRetriever(TIMEOUT_MILLIS, TIMEOUT_MILLIS, MOST_BYTES_OF_KEYS))
                    .cache(KEYS_STAY.toMillis(), 2L * TIMEOUT_MILLIS)
                    .refreshAheadCache(false) // a thread of its own would outlive the application
                    .outageTolerant(KEYS_STAY_IN_AN_OUTAGE.toMillis())
                    .build();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("the issuer's keys have no address", e);
        }
    }

    /** Without a look at the token itself: that would be a second check of the same signature. */
    @Override
    public Verification verifyHeaders(DeliveryRequest request) {
        List<String> sent = request.header("Authorization");
        if (sent.size() != 1 || !sent.get(0).toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return NO_TOKEN;
        }
        return sent.get(0).length() > LONGEST ? MALFORMED : Verification.VALID;
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        Verification headers = verifyHeaders(request);
        if (!headers.isValid()) {
            return headers;
        }
        try {
            processor.process(
                    request.header("Authorization")
                            .get(0)
                            .substring(SCHEME.length())
                            .strip(),
                    null);
            return Verification.VALID;
        } catch (ParseException malformed) {
            return MALFORMED;
        } catch (KeySourceException unreachable) {
            return NO_KEYS;
        } catch (BadJOSEException | JOSEException wrong) {
            return WRONG;
        }
    }
}
