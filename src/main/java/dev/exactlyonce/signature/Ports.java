package dev.exactlyonce.signature;

import java.net.URI;
import java.util.List;
import java.util.Locale;

/** The port in an address, which a sender may write or leave out. */
final class Ports {
    private Ports() {}

    /** The address as it is, and with its port left out, or with that of its scheme. */
    static List<String> withAndWithout(String url) {
        URI parsed = URI.create(url);
        String authority = parsed.getRawAuthority();
        if (authority == null) {
            return List.of(url);
        }
        int port = parsed.getPort();
        String other = port >= 0
                ? authority.substring(0, authority.lastIndexOf(':'))
                : authority + ":" + usual(parsed.getScheme());
        int from = url.indexOf("//") + 2;
        return List.of(url, url.substring(0, from) + other + url.substring(from + authority.length()));
    }

    private static int usual(String scheme) {
        return scheme.toLowerCase(Locale.ROOT).equals("https") ? 443 : 80;
    }
}
