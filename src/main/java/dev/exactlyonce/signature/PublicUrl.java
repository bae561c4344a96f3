package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address that a sender calls, where it is signed: a proxy hides it.
 *
 * @param base all of it before the query
 */
public record PublicUrl(String base, UrlForm form) {
    /** How the address is written where it is signed. */
    public enum UrlForm {
        /** As it is called. */
        SENT {
            @Override
            String of(String url) {
                return url;
            }
        },
        /** With those characters decoded that HubSpot decodes, and no others. */
        HUBSPOT {
            @Override
            String of(String url) {
                return ENCODED.matcher(url).replaceAll(UrlForm::decoded);
            }
        };

        private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");
        private static final Map<String, String> DECODED = Map.ofEntries(
                Map.entry("%3A", ":"),
                Map.entry("%2F", "/"),
                Map.entry("%3F", "?"),
                Map.entry("%40", "@"),
                Map.entry("%21", "!"),
                Map.entry("%24", "$"),
                Map.entry("%27", "'"),
                Map.entry("%28", "("),
                Map.entry("%29", ")"),
                Map.entry("%2A", "*"),
                Map.entry("%2C", ","),
                Map.entry("%3B", ";"));

        abstract String of(String url);

        private static String decoded(MatchResult encoded) {
            String text = encoded.group();
            return Matcher.quoteReplacement(DECODED.getOrDefault(text.toUpperCase(Locale.ROOT), text));
        }
    }

    /** The address of this request, with its query. */
    String of(DeliveryRequest request) {
        return form.of(request.rawQuery().isEmpty() ? base : base + "?" + request.rawQuery());
    }
}
