package dev.exactlyonce.signature;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where senders keep their certificates. The address comes with a request that is not yet verified: whatever else it names,
 * the server must not be made to call it. So the scheme is https, the host and the path are those of the sender, and there is
 * neither another port, nor user information, nor a query, nor a fragment.
 */
final class CertificateAddress {
    private static final int LONGEST = 300;
    private static final int LONGEST_CONFIRMATION = 2_000;

    private static final Pattern PAYPAL = Pattern.compile("api(\\.sandbox)?\\.paypal\\.com");
    private static final Pattern ANY_PATH = Pattern.compile("(/[0-9A-Za-z_.-]+)+");
    private static final Pattern SNS =
            Pattern.compile("sns\\.[a-z]{2}(-[a-z]{1,20}){1,3}-[0-9]{1,2}\\.amazonaws\\.com(\\.cn)?");
    private static final Pattern ROOT = Pattern.compile("/");
    private static final Pattern PEM = Pattern.compile("/SimpleNotificationService-[0-9a-f]{16,64}\\.pem");

    private CertificateAddress() {}

    /** Nothing when the text is not the address of a certificate of PayPal's. */
    static Optional<URI> parse(String text) {
        return pinned(text, PAYPAL, ANY_PATH).filter(it -> it.getRawQuery() == null);
    }

    /** Nothing when the text is not the address of a certificate of AWS SNS. */
    static Optional<URI> sns(String text) {
        return pinned(text, SNS, PEM).filter(it -> it.getRawQuery() == null);
    }

    /** Nothing when the text is not the address at which a subscription to a topic of AWS SNS is confirmed. */
    static Optional<URI> snsConfirmation(String text) {
        return text.length() > LONGEST_CONFIRMATION
                ? Optional.empty()
                : url(text).filter(it -> isPinned(it, SNS, ROOT) && confirms(it.getRawQuery()));
    }

    /** Whether it asks for that action and for no other. */
    private static boolean confirms(@Nullable String query) {
        return query != null
                && Stream.of(query.split("&", -1))
                        .filter(it -> it.toLowerCase(Locale.ROOT).startsWith("action="))
                        .toList()
                        .equals(List.of("Action=ConfirmSubscription"));
    }

    private static Optional<URI> pinned(String text, Pattern hosts, Pattern paths) {
        return text.length() > LONGEST ? Optional.empty() : url(text).filter(it -> isPinned(it, hosts, paths));
    }

    private static Optional<URI> url(String text) {
        try {
            return Optional.of(new URI(text));
        } catch (URISyntaxException malformed) {
            return Optional.empty();
        }
    }

    private static boolean isPinned(URI url, Pattern hosts, Pattern paths) {
        return "https".equalsIgnoreCase(url.getScheme())
                && url.getHost() != null
                && hosts.matcher(url.getHost().toLowerCase(Locale.ROOT)).matches()
                && (url.getPort() == -1 || url.getPort() == 443)
                && url.getRawUserInfo() == null
                && paths.matcher(url.getRawPath()).matches()
                && url.getRawFragment() == null;
    }
}
