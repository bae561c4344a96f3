package dev.exactlyonce.it;

import dev.exactlyonce.config.PresetsSignedHereTest;
import dev.exactlyonce.config.SignedDelivery;
import dev.exactlyonce.source.SignedRow;
import java.util.Map;
import java.util.stream.Collectors;

/** A signed request, as it is sent. */
record SignedRequest(
        String what,
        boolean isValid,
        Map<String, String> settings,
        String query,
        Map<String, String> headers,
        String body) {
    static SignedRequest of(SignedRow row) {
        return new SignedRequest(
                row.preset() + ", " + row.name(),
                row.isValid(),
                row.settings(),
                row.rawQuery(),
                row.headers(),
                row.body());
    }

    static SignedRequest of(SignedDelivery it) {
        return new SignedRequest(it.settings().get("preset"), true, it.settings(), it.query(), it.headers(), it.body());
    }

    boolean signsTheBody() {
        return PresetsSignedHereTest.signsTheBody(settings.get("preset"));
    }

    String secret() {
        return settings.getOrDefault("secret", "");
    }

    /** With one bit of the body changed; of what signs no body, with another token, or another signed id. */
    SignedRequest tampered() {
        if (signsTheBody()) {
            return new SignedRequest(what, false, settings, query, headers, other(body));
        }
        if (headers.isEmpty() && query.isEmpty()) {
            String secret = settings.get("secret");
            return new SignedRequest(what, false, settings, query, headers, body.replace(secret, secret + "x"));
        }
        return new SignedRequest(
                what,
                false,
                settings,
                query.isEmpty() ? query : query + "x&" + query,
                headers.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, it -> it.getValue() + "x")),
                body);
    }

    private static String other(String body) {
        return body.isEmpty() ? "x" : (char) (body.charAt(0) ^ 1) + body.substring(1);
    }
}
