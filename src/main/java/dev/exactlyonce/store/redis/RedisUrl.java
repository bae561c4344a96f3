package dev.exactlyonce.store.redis;

import dev.exactlyonce.common.WholeNumbers;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The pieces of a Redis URL, decoded. Read by hand: {@link java.net.URI} refuses host names with an underscore, which
 * containers have, and its messages show the password.
 *
 * @param host an IPv6 address is in brackets, as in a URL
 */
record RedisUrl(
        boolean tls,
        String host,
        Optional<Integer> port,
        Optional<Integer> database,
        Optional<String> username,
        Optional<String> password) {

    private static final String PLAIN = "redis://";
    private static final String TLS = "rediss://";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,252}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final Pattern ENCODED = Pattern.compile("(?:[^%]++|%[0-9A-Fa-f]{2})*+");

    /**
     * Takes a URL apart.
     *
     * @throws IllegalArgumentException whose message says which piece is wrong, and never what stands in it
     */
    static RedisUrl parse(String text) {
        boolean tls = text.startsWith(TLS);
        if (!tls && !text.startsWith(PLAIN)) {
            throw fault("its scheme is neither redis:// nor rediss://");
        }
        String rest = text.substring((tls ? TLS : PLAIN).length());
        if (rest.contains("?") || rest.contains("#")) {
            throw fault("a query string or fragment is not allowed; in a user or password write ? as %3F, # as %23");
        }
        int at = rest.indexOf('@');
        if (rest.indexOf('@', at + 1) >= 0 || rest.lastIndexOf('/', at) >= 0) {
            throw fault("in its user or password, write / as %2F, @ as %40");
        }
        String[] place = rest.substring(at + 1).split("/", 2);
        if (place[0].contains(",")) {
            throw fault("it names several hosts; that is for exactlyonce.redis.config-file");
        }
        int colon = place[0].indexOf(':', place[0].startsWith("[") ? Math.max(0, place[0].indexOf(']')) : 0);
        String host = hostOf(colon < 0 ? place[0] : place[0].substring(0, colon))
                .orElseThrow(() -> fault("its host is missing or malformed; an IPv6 address stands in brackets"));
        Optional<Integer> port = Optional.of(place[0])
                .filter(it -> colon >= 0)
                .map(it -> portOf(it.substring(colon + 1))
                        .orElseThrow(() -> fault("its port is not 1 to 65535; an IPv6 address stands in brackets")));
        Optional<Integer> database = Optional.of(place)
                .filter(it -> it.length == 2 && !it[1].isEmpty())
                .map(it -> databaseOf(it[1])
                        .orElseThrow(() -> fault("its database is not a whole number, 0 to " + Integer.MAX_VALUE)));
        if (at < 0) {
            return new RedisUrl(tls, host, port, database, Optional.empty(), Optional.empty());
        }
        String[] credentials = rest.substring(0, at).split(":", 2);
        Optional<String> username = decoded(credentials[0]);
        Optional<String> password = credentials.length == 2 ? decoded(credentials[1]) : Optional.empty();
        if (username.isEmpty() && password.isEmpty()) {
            throw fault("before its @ there is neither a user nor a password");
        }
        return new RedisUrl(tls, host, port, database, username, password);
    }

    /** A host name or address; an IPv6 address in brackets, whether or not it came so. */
    static Optional<String> hostOf(String text) {
        if (NAME.matcher(text).matches()) {
            return Optional.of(text);
        }
        String address = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        return isIpv6(address) ? Optional.of("[" + address + "]") : Optional.empty();
    }

    private static boolean isIpv6(String address) {
        if (!IPV6.matcher(address).matches()) {
            return false;
        }
        try {
            InetAddress.getByName("[" + address + "]"); // asks no name server: brackets hold an address or nothing
            return true;
        } catch (UnknownHostException malformed) {
            return false;
        }
    }

    static Optional<Integer> portOf(String text) {
        return WholeNumbers.parse(text, 1, 65_535);
    }

    static Optional<Integer> databaseOf(String text) {
        return WholeNumbers.parse(text, 0, Integer.MAX_VALUE);
    }

    /** Of a URL and not of a form: a plus is a plus. */
    private static Optional<String> decoded(String text) {
        if (!ENCODED.matcher(text).matches()) {
            throw fault("in its user or password, % is not followed by two hexadecimal digits; write % as %25");
        }
        String decoded = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        if (decoded.contains("\uFFFD")) {
            throw fault("its user or password is not UTF-8 once it is decoded");
        }
        return decoded.isEmpty() ? Optional.empty() : Optional.of(decoded);
    }

    private static IllegalArgumentException fault(String fault) {
        return new IllegalArgumentException(
                fault + "; allowed: " + RedisStoreSettings.URL.type().allowedValues());
    }

    /** Holds no piece of it. */
    @Override
    public String toString() {
        return "a Redis URL";
    }
}
