package dev.exactlyonce.signature.oidc;

import dev.exactlyonce.common.OptionalClasses;
import java.net.URI;
import java.util.Set;

/**
 * Who may send with a token, and how that is checked.
 *
 * @param keys where the issuer publishes its keys
 * @param issuers what {@code iss} may be
 * @param audience what {@code aud} must be
 * @param email what {@code email} must be, with {@code email_verified}
 */
public record OidcSettings(URI keys, Set<String> issuers, String audience, String email) {
    /** What an application adds for it. */
    public static final String LIBRARY = "com.nimbusds:nimbus-jose-jwt:10.5";

    public OidcSettings {
        issuers = Set.copyOf(issuers);
    }

    /** Whether the application brings the JOSE library. */
    public static boolean isLibraryThere() {
        return OptionalClasses.isPresent("com.nimbusds.jwt.proc.DefaultJWTProcessor");
    }
}
