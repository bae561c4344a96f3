package dev.exactlyonce.config;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** One delivery of each sender that publishes no vector, signed as its documentation describes, without unsigned ids. */
final class SenderRequests {
    static final String SECRET = "sixteen letters.";
    static final String BODY = "{\"id\":\"1\"}";
    static final Instant NOW = Instant.parse("2026-09-27T10:00:00Z");
    static final String WHSEC = "whsec_" + "A".repeat(32);
    static final String CREDENTIALS = "sender:sixteen letters.";
    static final String URL = "https://example.com/hooks/here";

    private static final String SECONDS = Long.toString(NOW.getEpochSecond());
    private static final String MILLIS = Long.toString(NOW.toEpochMilli());
    private static final String RFC3339 = "2026-09-27T10:00:00Z";
    private static final KeyPair PAIR = Signer.ed25519();
    private static final byte[] KEY = SECRET.getBytes(StandardCharsets.UTF_8);

    private SenderRequests() {}

    static SignedDelivery sent(String preset, String secret, String body, String... headers) {
        SignedDelivery delivery =
                SignedDelivery.of(preset, secret).withBody(body).at(NOW);
        for (int i = 0; i < headers.length; i += 2) {
            delivery = delivery.withHeader(headers[i], headers[i + 1]);
        }
        return delivery;
    }

    /** As Standard Webhooks sign. */
    static SignedDelivery standard(String preset, String prefix) {
        return standard(preset, prefix, WHSEC, Base64.getDecoder().decode("A".repeat(32)));
    }

    private static SignedDelivery standard(String preset, String prefix, String secret, byte[] key) {
        return sent(
                preset,
                secret,
                BODY,
                prefix + "-id",
                "m1",
                prefix + "-timestamp",
                SECONDS,
                prefix + "-signature",
                "v1," + Signer.base64(Signer.hmac("HmacSHA256", key, "m1." + SECONDS + "." + BODY)));
    }

    private static SignedDelivery hex(String preset, String header, String before) {
        return sent(preset, SECRET, BODY, header, before + Signer.hex(SECRET, BODY));
    }

    private static SignedDelivery base64(String preset, String header) {
        return sent(preset, SECRET, BODY, header, Signer.base64(SECRET, BODY));
    }

    private static SignedDelivery by(String preset, String algorithm, String header) {
        return sent(preset, SECRET, BODY, header, HexFormat.of().formatHex(Signer.hmac(algorithm, KEY, BODY)));
    }

    /** A header of its own with the time. */
    private static SignedDelivery timed(String preset, String header, String signed, String timeHeader, String time) {
        return sent(preset, SECRET, BODY, header, signed, timeHeader, time);
    }

    static List<SignedDelivery> all() {
        List<SignedDelivery> all = new ArrayList<>();
        for (String preset : List.of("openai", "replicate", "render", "supabase", "lithic", "brex")) {
            all.add(standard(preset, "webhook"));
        }
        all.add(standard("bigcommerce", "webhook", SECRET, KEY));
        all.add(standard("polar", "webhook", SECRET, KEY));
        all.add(hex("jira", "X-Hub-Signature", "sha256="));
        all.add(hex("sentry", "Sentry-Hook-Signature", ""));
        all.add(hex("sonarqube", "X-Sonar-Webhook-HMAC-SHA256", ""));
        all.add(hex("gitea", "X-Gitea-Signature", ""));
        all.add(hex("forgejo", "X-Forgejo-Signature", ""));
        all.add(hex("gogs", "X-Gogs-Signature", ""));
        all.add(hex("circleci", "circleci-signature", "v1="));
        all.add(hex("gocardless", "Webhook-Signature", ""));
        all.add(hex("lemon-squeezy", "X-Signature", ""));
        all.add(hex("checkout-com", "Cko-Signature", ""));
        all.add(hex("coinbase-commerce", "X-CC-Webhook-Signature", ""));
        all.add(hex("discourse", "X-Discourse-Event-Signature", "sha256="));
        all.add(hex("launchdarkly", "X-LD-Signature", ""));
        all.add(hex("asana", "X-Hook-Signature", ""));
        all.add(hex("clickup", "X-Signature", ""));
        all.add(hex("notion", "X-Notion-Signature", "sha256="));
        all.add(hex("cal-com", "X-Cal-Signature-256", ""));
        all.add(hex("onfido", "X-SHA2-Signature", ""));
        all.add(hex("nylas", "x-nylas-signature", ""));
        all.add(hex("uploadcare", "X-Uc-Signature", "v1="));
        all.add(base64("woocommerce", "X-WC-Webhook-Signature"));
        all.add(base64("quickbooks", "intuit-signature"));
        all.add(base64("xero", "x-xero-signature"));
        all.add(base64("flutterwave", "flutterwave-signature"));
        all.add(base64("fastspring", "X-FS-Signature"));
        all.add(base64("fourthwall", "X-Fourthwall-Hmac-SHA256"));
        all.add(base64("aftership", "aftership-hmac-sha256"));
        all.add(base64("commerce-layer", "X-CommerceLayer-Signature"));
        all.add(base64("heroku", "Heroku-Webhook-Hmac-SHA256"));
        all.add(by("paystack", "HmacSHA512", "x-paystack-signature"));
        all.add(by("terraform-cloud", "HmacSHA512", "X-TFE-Notification-Signature"));
        all.add(by("vercel", "HmacSHA1", "x-vercel-signature"));
        all.add(by("segment", "HmacSHA1", "X-Signature"));
        all.addAll(others());
        all.addAll(timed());
        all.addAll(tokens());
        return all;
    }

    private static List<SignedDelivery> others() {
        return List.of(
                sent(
                        "oracle-commerce",
                        SECRET,
                        BODY,
                        "X-Oracle-CC-WebHook-Signature",
                        Signer.base64(Signer.hmac("HmacSHA512", KEY, BODY))),
                sent(
                        "helpscout",
                        SECRET,
                        BODY,
                        "X-HelpScout-Signature",
                        Signer.base64(Signer.hmac("HmacSHA1", KEY, BODY))),
                sent("typeform", SECRET, BODY, "Typeform-Signature", "sha256=" + Signer.base64(SECRET, BODY)),
                sent("x", SECRET, BODY, "x-twitter-webhooks-signature", "sha256=" + Signer.base64(SECRET, BODY)),
                sent("linkedin", SECRET, BODY, "X-LI-Signature", Signer.hex(SECRET, "hmacsha256=" + BODY)),
                sent(
                        "airtable",
                        Signer.base64(KEY),
                        BODY,
                        "X-Airtable-Content-MAC",
                        "hmac-sha256=" + Signer.hex(SECRET, BODY)),
                sent(
                                "trello",
                                SECRET,
                                BODY,
                                "x-trello-webhook",
                                Signer.base64(Signer.hmac("HmacSHA1", KEY, BODY + URL)))
                        .with("public-url", URL),
                sent(
                                "mandrill",
                                SECRET,
                                "mandrill_events=%5B1%5D",
                                "Content-Type",
                                "application/x-www-form-urlencoded",
                                "X-Mandrill-Signature",
                                Signer.base64(Signer.hmac("HmacSHA1", KEY, URL + "mandrill_events[1]")))
                        .with("public-url", URL),
                sent(
                        "telnyx",
                        Signer.base64(HexFormat.of().parseHex(Signer.publicHex(PAIR))),
                        BODY,
                        "telnyx-signature-ed25519",
                        Signer.base64(HexFormat.of().parseHex(Signer.ed25519Hex(PAIR, SECONDS + "|" + BODY))),
                        "telnyx-timestamp",
                        SECONDS),
                sent(
                                "mercado-pago",
                                SECRET,
                                BODY,
                                "x-signature",
                                "ts=" + SECONDS + ",v1="
                                        + Signer.hex(SECRET, "id:123456;request-id:bb56a2f1;ts:" + SECONDS + ";"),
                                "x-request-id",
                                "bb56a2f1")
                        .withQuery("data.id=123456&type=payment"));
    }

    private static String inHeader(String time, String before, String signature, String content) {
        return before.replace("TIME", time) + signature + Signer.hex(SECRET, content);
    }

    private static List<SignedDelivery> timed() {
        String stripeLike = SECONDS + "." + BODY;
        return List.of(
                timed("airwallex", "x-signature", Signer.hex(SECRET, MILLIS + BODY), "x-timestamp", MILLIS),
                timed(
                        "revolut",
                        "Revolut-Signature",
                        "v1=" + Signer.hex(SECRET, "v1." + MILLIS + "." + BODY),
                        "Revolut-Request-Timestamp",
                        MILLIS),
                timed(
                        "customerio",
                        "X-CIO-Signature",
                        Signer.hex(SECRET, "v0:" + SECONDS + ":" + BODY),
                        "X-CIO-Timestamp",
                        SECONDS),
                timed(
                        "webflow",
                        "x-webflow-signature",
                        Signer.hex(SECRET, MILLIS + ":" + BODY),
                        "x-webflow-timestamp",
                        MILLIS),
                timed(
                        "front",
                        "X-Front-Signature",
                        Signer.base64(SECRET, MILLIS + ":" + BODY),
                        "X-Front-Request-Timestamp",
                        MILLIS),
                timed(
                        "box",
                        "BOX-SIGNATURE-PRIMARY",
                        Signer.base64(SECRET, BODY + RFC3339),
                        "BOX-DELIVERY-TIMESTAMP",
                        RFC3339),
                timed(
                        "cloudinary",
                        "X-Cld-Signature",
                        Signer.sha1Hex(BODY + SECONDS + SECRET),
                        "X-Cld-Timestamp",
                        SECONDS),
                sent(
                        "twitch",
                        SECRET,
                        BODY,
                        "Twitch-Eventsub-Message-Signature",
                        "sha256=" + Signer.hex(SECRET, "e76c6bd4" + RFC3339 + BODY),
                        "Twitch-Eventsub-Message-Id",
                        "e76c6bd4",
                        "Twitch-Eventsub-Message-Timestamp",
                        RFC3339),
                sent(
                        "recurly",
                        SECRET,
                        BODY,
                        "recurly-signature",
                        MILLIS + "," + Signer.hex(SECRET, MILLIS + "." + BODY)),
                sent(
                        "workos",
                        SECRET,
                        BODY,
                        "WorkOS-Signature",
                        inHeader(MILLIS, "t=TIME, ", "v1=", MILLIS + "." + BODY)),
                sent("persona", SECRET, BODY, "Persona-Signature", inHeader(SECONDS, "t=TIME,", "v1=", stripeLike)),
                sent(
                        "elevenlabs",
                        SECRET,
                        BODY,
                        "ElevenLabs-Signature",
                        inHeader(SECONDS, "t=TIME,", "v0=", stripeLike)),
                sent(
                        "buildkite",
                        SECRET,
                        BODY,
                        "X-Buildkite-Signature",
                        inHeader(SECONDS, "timestamp=TIME,", "signature=", stripeLike)),
                sent(
                        "sanity",
                        SECRET,
                        BODY,
                        "sanity-webhook-signature",
                        "t=" + MILLIS + ",v1="
                                + Base64.getUrlEncoder()
                                        .withoutPadding()
                                        .encodeToString(Signer.hmac("HmacSHA256", KEY, MILLIS + "." + BODY))));
    }

    private static List<SignedDelivery> tokens() {
        List<SignedDelivery> tokens = new ArrayList<>();
        tokens.add(sent("okta", SECRET, "{\"eventId\":\"1\"}", "Authorization", SECRET));
        tokens.add(sent("auth0", SECRET, BODY, "Authorization", SECRET));
        tokens.add(sent("revenuecat", SECRET, "{\"event\":{\"id\":\"1\"}}", "Authorization", SECRET));
        for (String preset : List.of("brevo", "cloudevents", "token")) {
            tokens.add(sent(preset, SECRET, BODY, "Authorization", "Bearer " + SECRET));
        }
        for (String preset :
                List.of("postmark", "chargebee", "pipedrive", "azure-devops", "alertmanager", "aws-sns-raw", "basic")) {
            tokens.add(sent(
                    preset, CREDENTIALS, BODY, "Authorization", "Basic " + Signer.base64(Signer.bytes(CREDENTIALS))));
        }
        tokens.add(sent("flutterwave-hash", SECRET, BODY, "verif-hash", SECRET));
        tokens.add(sent("mailchimp", "sixteen-letters.", BODY).withQuery("secret=sixteen-letters."));
        tokens.add(sent("token-in-query", "sixteen-letters.", BODY).withQuery("a=b&token=sixteen-letters."));
        tokens.add(
                sent("azure-event-grid", "sixteen-letters.", "[{\"id\":\"1\"}]").withQuery("code=sixteen-letters."));
        tokens.add(sent("figma", SECRET, "{\"passcode\":\"" + SECRET + "\",\"id\":\"1\"}"));
        tokens.add(
                sent("microsoft-graph", SECRET, "{\"value\":[" + notification("1") + "," + notification("2") + "]}"));
        return tokens;
    }

    private static String notification(String id) {
        return "{\"id\":\"" + id + "\",\"clientState\":\"" + SECRET + "\"}";
    }

    /** A secret of the same kind that is not the sender's. */
    static String otherSecret(SignedDelivery delivery) {
        String secret = delivery.settings().get("secret");
        return switch (delivery.settings().get("preset")) {
            case "discord" -> Signer.publicHex(Signer.ed25519());
            case "telnyx" -> Signer.base64(HexFormat.of().parseHex(Signer.publicHex(Signer.ed25519())));
            case "airtable" -> Signer.base64(Signer.bytes("another secret.."));
            default ->
                Optional.of(secret)
                        .filter(it -> it.startsWith("whsec_"))
                        .map(it -> "whsec_" + "B".repeat(32))
                        .orElse(secret.contains(":") ? "another:secret" : "another secret..");
        };
    }
}
