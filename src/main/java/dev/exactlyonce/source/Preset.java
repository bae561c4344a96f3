package dev.exactlyonce.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What is known of one sender of webhooks: lines that stand in for those of a source which names it. Most of them are
 * settings of a source; the others are what only presets have.
 *
 * @param lines by their names; of settings, without the source's prefix
 */
public record Preset(String name, Map<String, String> lines) {
    /** Every preset, in the order of the documentation. */
    public static final List<String> NAMES = List.of(
            "github",
            "stripe",
            "slack",
            "shopify",
            "standard-webhooks",
            "svix",
            "clerk",
            "resend",
            "gitlab",
            "gitlab-token",
            "bitbucket",
            "twilio",
            "square",
            "paypal",
            "paddle",
            "adyen",
            "adyen-header",
            "razorpay",
            "zendesk",
            "intercom",
            "hubspot-v1",
            "hubspot-v2",
            "hubspot-v3",
            "discord",
            "linear",
            "mailgun",
            "sendgrid",
            "dropbox",
            "zoom",
            "calendly",
            "docusign",
            "telegram",
            "meta",
            "whatsapp",
            "line",
            "pagerduty",
            "mux",
            "google-pubsub",
            "x-signature-256",
            "hmac");

    /** The preset for everything else: every option of a signature may be set. */
    public static final String GENERIC = "hmac";

    /** Which kind of signature it has. */
    public static final String SCHEME = "scheme";

    /** The sender's name. */
    public static final String TITLE = "title";

    /** Where the sender documents it. */
    public static final String DOCS = "docs";

    /** What the sender's settings page calls the secret. */
    public static final String SECRET_IS = "secret-is";

    /** What the key is made of, in words. */
    public static final String KEY_IS = "key-is";

    /** How many bytes the secret must have. */
    public static final String LEAST_SECRET_BYTES = "least-secret-bytes";

    /** How long the sender goes on repeating a delivery, or lets it be repeated; a setting, too. */
    public static final String RETRY_WINDOW = "retry-window";

    /** When the sender repeats a delivery for the last time, counted from the first. */
    public static final String LAST_RETRY = "last-retry";

    /** How the sender finds out whether it has the right receiver: a {@link Handshake}. */
    public static final String HANDSHAKE = "handshake";

    /** What the sender asks with a GET: a {@link Challenge.ChallengeKind}. */
    public static final String CHALLENGE = "challenge";

    /** What its user must know of the sender, as one sentence. */
    public static final String NOTE = "note";

    /** Whether the body is another one when a delivery is repeated. */
    public static final String BODY_CHANGES = "body-changes";

    /** Whether a delivery's body is always one JSON object or array, and any other is refused. */
    public static final String JSON_BODY = "json-body";

    /** Whether its headers may have the names of Standard Webhooks, too. */
    public static final String WHITE_LABEL = "white-label";

    /** Where the issuer of the sender's tokens publishes its keys. */
    public static final String KEYS = "keys";

    /** How that issuer names itself, separated by commas. */
    public static final String ISSUERS = "issuers";

    /** The lines that are no setting of a source. */
    public static final List<String> OWN = List.of(
            SCHEME,
            TITLE,
            DOCS,
            SECRET_IS,
            KEY_IS,
            LEAST_SECRET_BYTES,
            LAST_RETRY,
            NOTE,
            BODY_CHANGES,
            JSON_BODY,
            WHITE_LABEL,
            HANDSHAKE,
            CHALLENGE,
            KEYS,
            ISSUERS);

    public Preset {
        lines = Map.copyOf(lines);
    }

    /** Nothing when there is none of this name. */
    public static Optional<Preset> find(String name) {
        return Optional.of(name).filter(NAMES::contains).map(Preset::read);
    }

    private static Preset read(String name) {
        Properties properties = new Properties();
        try (InputStream in = Preset.class.getResourceAsStream("preset/" + name + ".properties")) {
            if (in == null) {
                throw new IllegalStateException("the preset " + name + " is not in the library");
            }
            Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8);
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> lines = new TreeMap<>();
        properties.stringPropertyNames().forEach(it -> lines.put(it, properties.getProperty(it)));
        return new Preset(name, lines);
    }

    public Optional<String> line(String key) {
        return Optional.ofNullable(lines.get(key));
    }

    /** The sender's name. */
    public String title() {
        return lines.getOrDefault(TITLE, name);
    }

    public Optional<Duration> duration(String key) {
        return line(key).map(Duration::parse);
    }

    public boolean isSet(String key) {
        return "true".equals(lines.get(key));
    }

    /** Whether it leaves everything to the source. */
    public boolean isGeneric() {
        return name.equals(GENERIC);
    }
}
