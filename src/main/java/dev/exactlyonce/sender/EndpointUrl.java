package dev.exactlyonce.sender;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an endpoint's URL that identify the server. {@link URI#getHost()} is null for a host that RFC 2396
 * does not allow, such as one with an underscore, so the host is taken from the authority.
 *
 * @param scheme {@code http} or {@code https}, in lower case
 * @param host a name, an IPv4 address, or an IPv6 address in brackets
 * @param port -1 for the scheme's own
 */
record EndpointUrl(String scheme, String host, int port) {
    private static final Pattern AUTHORITY =
            Pattern.compile("(?<host>\\[[^\\]]*]|[^:\\[\\]]*)(?::(?<port>[^:\\[\\]]*))?");

    private static final String LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
    private static final Pattern NAME = Pattern.compile("(?:" + LABEL + "\\.)*" + LABEL + "\\.?");
    private static final Pattern PORT = Pattern.compile("0*([1-9][0-9]{0,4})");
    private static final int LONGEST_NAME = 253;
    private static final int LAST_PORT = 65_535;
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");

    /** @throws IllegalArgumentException that names the fault without the URL, which may hold a token */
    static EndpointUrl of(URI url, boolean allowHttp) {
        requireAscii(url);
        String scheme = Objects.requireNonNullElse(url.getScheme(), "").toLowerCase(Locale.ROOT);
        String authority = Objects.requireNonNullElse(url.getRawAuthority(), "");
        if (!List.of("https", "http").contains(scheme) || authority.isEmpty()) {
            throw new IllegalArgumentException("is not an absolute https URL with a host");
        }
        if (authority.contains("@") || url.getRawFragment() != null) {
            throw new IllegalArgumentException("holds a user or a fragment; an endpoint's URL has neither");
        }
        Matcher parts = AUTHORITY.matcher(authority);
        if (!parts.matches()) {
            throw noHost();
        }
        EndpointUrl found = new EndpointUrl(scheme, parts.group("host"), port(parts.group("port")));
        found.refuseEncodedHost();
        if (url.getHost() == null) {
            found.requireNameWithUnderscore();
        }
        if (scheme.equals("http") && !allowHttp && !LOCAL.contains(found.host().toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("is http; only https leaves this machine, unless allow-http=true");
        }
        return found;
    }

    /** The client would send a question mark for any other character. */
    private static void requireAscii(URI url) {
        if (!isAscii(Objects.requireNonNullElse(url.getRawAuthority(), ""))) {
            throw new IllegalArgumentException(
                    "has a host with characters other than ASCII; write the host in Punycode (xn--…)");
        }
        if (!isAscii(url.toString())) {
            throw new IllegalArgumentException("holds characters other than ASCII; percent-encode them as UTF-8");
        }
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(it -> it < 0x80);
    }

    /** No port, and a colon without one, is the scheme's own: RFC 3986, 3.2.3. */
    private static int port(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return -1;
        }
        Matcher digits = PORT.matcher(text);
        if (!digits.matches() || Integer.parseInt(digits.group(1)) > LAST_PORT) {
            throw new IllegalArgumentException("names a port outside 1 to 65535");
        }
        return Integer.parseInt(digits.group(1));
    }

    private void refuseEncodedHost() {
        if (host.contains("%")) {
            throw new IllegalArgumentException(
                    host.startsWith("[")
                            ? "names an IPv6 zone, which only link-local addresses need, and those are never called;"
                                    + " leave it out"
                            : "has a percent sign in its host; write the host's name as it is");
        }
    }

    /** All other names that can be resolved are allowed by RFC 2396. */
    private void requireNameWithUnderscore() {
        if (!host.contains("_")
                || host.length() > LONGEST_NAME
                || !NAME.matcher(host).matches()) {
            throw noHost();
        }
        if (scheme.equals("https")) {
            throw new IllegalArgumentException(
                    "has an underscore in its host, and Java's TLS neither names nor verifies"
                            + " such a host; give it a name without one, or use http with allow-http=true");
        }
    }

    private static IllegalArgumentException noHost() {
        return new IllegalArgumentException(
                "has no host that is a name or an address: allowed are letters, digits, - and"
                        + " dots, an IPv4 address of four numbers, or an IPv6 address in brackets");
    }
}
