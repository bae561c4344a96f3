package dev.exactlyonce.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
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
    /** The names of all presets by the kind of sender, in the order of the documentation. */
    public static final Map<String, List<String>> GROUPS = groups();

    /** The names of all presets, in the order of the documentation. */
    public static final List<String> NAMES =
            GROUPS.values().stream().flatMap(List::stream).toList();

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

    /** Whether the signature covers other values of the request and not its body. */
    public static final String BODY_UNSIGNED = "body-unsigned";

    /** Whether the first entry of the signature's header is the timestamp. */
    public static final String TIMESTAMP_FIRST = "timestamp-first";

    /** Where a token is: {@code header:Name}, {@code query:name} or {@code json:/pointer}. */
    public static final String TOKEN_AT = "token-at";

    /** Which facts no documentation of the sender confirmed, in words. */
    public static final String UNVERIFIED = "unverified";

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
            BODY_UNSIGNED,
            TIMESTAMP_FIRST,
            TOKEN_AT,
            UNVERIFIED,
            KEYS,
            ISSUERS);

    public Preset {
        lines = Map.copyOf(lines);
    }

    /** Nothing when there is none of this name. */
    public static Optional<Preset> find(String name) {
        return Optional.of(name).filter(NAMES::contains).map(Preset::read);
    }

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        for (String line : text("presets.txt").lines().toList()) {
            if (line.startsWith("= ")) {
                names = new ArrayList<>();
                groups.put(line.substring(2), names);
            } else {
                names.add(line);
            }
        }
        return Collections.unmodifiableMap(groups);
    }

    private static String text(String resource) {
        try (InputStream in = Preset.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not in the library");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Preset read(String name) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text("preset/" + name + ".properties")));
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
