package dev.exactlyonce.sender.wire;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Which headers an application may set. */
public final class RequestHeaders {
    /** RFC 9110, section 5.6.2. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");

    private static final Pattern VALUE = Pattern.compile("[!-~]([ -~]{0,1022}[!-~])?");

    /** What the sender sets itself, and what belongs to the connection (RFC 9110, section 7.6.1) or to its message. */
    private static final Set<String> RESERVED = Set.of(
            "idempotency-key",
            "x-signature-256",
            "content-type",
            "content-length",
            "content-encoding",
            "connection",
            "expect",
            "host",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "user-agent");

    private RequestHeaders() {}

    public static String checkedName(String name) {
        if (!TOKEN.matcher(name).matches()) {
            throw new IllegalArgumentException("a header's name is a token of RFC 9110 with at most 100 characters");
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if (RESERVED.contains(lower) || lower.startsWith("webhook-")) {
            throw new IllegalArgumentException("the header " + lower + " is the sender's own, or the connection's");
        }
        return lower;
    }

    public static String checkedValue(String name, String value) {
        if (!VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException("the value of the header " + name
                    + " is 1 to 1024 printable ASCII characters, without a blank at its begin or end");
        }
        return value;
    }
}
