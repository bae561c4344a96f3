package dev.exactlyonce.signature.oidc;

import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import java.time.InstantSource;
import java.util.Date;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a token must claim: for us, by its issuer, of the one sender, and not expired. */
final class SenderClaims extends DefaultJWTClaimsVerifier<SecurityContext> {
    private final OidcSettings settings;
    private final InstantSource clock;

    SenderClaims(OidcSettings settings, InstantSource clock) {
        super(settings.audience(), null, Set.of("exp", "iss", "email", "email_verified"));
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    @SuppressWarnings("JavaUtilDate") // the library's
    protected Date currentTime() {
        return Date.from(clock.instant());
    }

    @Override
    public void verify(JWTClaimsSet claims, @Nullable SecurityContext context) throws BadJWTException {
        super.verify(claims, context);
        if (!settings.issuers().contains(claims.getIssuer())) {
            throw new BadJWTException("another issuer");
        }
        if (!settings.email().equals(claims.getClaim("email"))
                || !Boolean.TRUE.equals(claims.getClaim("email_verified"))) {
            throw new BadJWTException("another sender");
        }
    }
}
