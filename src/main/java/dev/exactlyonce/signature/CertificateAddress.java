package dev.exactlyonce.signature;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where PayPal keeps its certificates. The address comes with a request that is not yet verified: whatever else it names,
 * the server must not be made to call it.
 */
final class CertificateAddress {
    private static final Set<String> HOSTS = Set.of("api.paypal.com", "api.sandbox.paypal.com");
    private static final int LONGEST = 300;

    /** From memory: /v1/notifications/certs/CERT-... */
    private static final Pattern PATH = Pattern.compile("(/[0-9A-Za-z_.-]+)+");

    private CertificateAddress() {}

    /** Nothing when the text is no address of a certificate of PayPal's. */
    static Optional<URI> parse(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        try {
            URI url = new URI(text);
            return isPayPals(url) ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException malformed) {
            return Optional.empty();
        }
    }

    private static boolean isPayPals(URI url) {
        return "https".equalsIgnoreCase(url.getScheme())
                && url.getHost() != null
                && HOSTS.contains(url.getHost().toLowerCase(Locale.ROOT))
                && (url.getPort() == -1 || url.getPort() == 443)
                && url.getRawUserInfo() == null
                && PATH.matcher(url.getRawPath()).matches()
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
    }
}
