package dev.exactlyonce.config;

import dev.exactlyonce.signature.Algorithm;
import dev.exactlyonce.signature.Freshness;
import dev.exactlyonce.signature.SecretEncoding;
import dev.exactlyonce.signature.SecretFile;
import dev.exactlyonce.signature.SignatureEncoding;
import dev.exactlyonce.signature.SignatureHeader.Separator;
import dev.exactlyonce.signature.SignedContent;
import dev.exactlyonce.signature.TimestampFormat;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The settings of one source's signature. */
final class SignatureSettings {
    private static final Pattern PREFIX = Pattern.compile("[!-~]{1,100}");

    static final SettingDefinition<String> SECRET = SettingDefinition.optional(
            SettingScope.ofSource("secret"),
            SettingType.text("what the preset's row names; neither `{xor}` nor `{aes}`")
                    .hidden(),
            "The secret that verifies signatures. Write `$` as `\\$`.");

    static final SettingDefinition<String> SECRET_PREVIOUS = SettingDefinition.optional(
            SettingScope.ofSource("secret-previous"),
            SettingType.text("as `secret`").hidden(),
            "A second valid secret, while a secret is rotated.");

    private static final String ONE_A_LINE = "a file with one secret a line";

    static final SettingDefinition<SecretFile> SECRET_FILE = SettingDefinition.optional(
            SettingScope.ofSource("secret-file"),
            SettingType.of(
                    ONE_A_LINE, text -> SettingType.path(ONE_A_LINE).find(text).map(SecretFile::new)),
            "A file with further secrets. It is read again when it changes.");

    static final SettingDefinition<Boolean> ALLOW_SHORT_SECRET = SettingDefinition.of(
            SettingScope.ofSource("allow-short-secret"),
            SettingType.bool(),
            false,
            "Whether a secret of Standard Webhooks may have less than 24 bytes.");

    static final SettingDefinition<Duration> TOLERANCE = SettingDefinition.of(
                    SettingScope.ofSource("tolerance"),
                    SettingType.duration(Duration.ZERO, Duration.ofDays(36500)),
                    Freshness.DEFAULT_TOLERANCE,
                    "How far a signed timestamp may be from now, before or after.")
            .withDocumentedDefault("the preset's, else `PT5M`");

    static final SettingDefinition<String> PUBLIC_URL = SettingDefinition.optional(
            SettingScope.ofSource("public-url"),
            SettingType.of(
                            "an absolute `https` or `http` URL without a query",
                            text -> Optional.of(text).filter(SignatureSettings::isAddress))
                    .hidden(), // it may contain a password
            "The address that the sender calls, where the signature covers it: behind a proxy it cannot be seen.");

    static final SettingDefinition<String> AUDIENCE = SettingDefinition.optional(
            SettingScope.ofSource("audience"),
            SettingType.text("the exact value from the provider's dashboard"),
            "With `google-pubsub`: the token's audience.");

    static final SettingDefinition<String> EMAIL = SettingDefinition.optional(
            SettingScope.ofSource("email"),
            SettingType.text("an e-mail address"),
            "With `google-pubsub`: the service account of the token.");

    static final SettingDefinition<List<String>> SIGNATURE_HEADER = SettingDefinition.optional(
            SettingScope.ofSource("signature-header"),
            SettingType.of(
                    "a header's name, or several with vertical bars between them",
                    text -> Optional.of(List.of(text.split("\\|", -1)))
                            .filter(names -> names.stream()
                                    .allMatch(it ->
                                            SettingTypes.HEADER_NAME.find(it).isPresent()))),
            "With `hmac`: the header with the signature; of several headers the first that was sent counts.");

    static final SettingDefinition<Algorithm> SIGNATURE_ALGORITHM = SettingDefinition.of(
            SettingScope.ofSource("signature-algorithm"),
            SettingType.choice(Algorithm.offered()),
            Algorithm.SHA256,
            "With `hmac`: the signature's algorithm.");

    static final SettingDefinition<SignatureEncoding> SIGNATURE_ENCODING = SettingDefinition.of(
            SettingScope.ofSource("signature-encoding"),
            SettingType.choice(SignatureEncoding.offered()),
            SignatureEncoding.HEX,
            "With `hmac`: the signature's encoding.");

    static final SettingDefinition<String> SIGNATURE_PREFIX = SettingDefinition.optional(
            SettingScope.ofSource("signature-prefix"),
            SettingType.text("a text without blanks, such as `sha256=`", PREFIX),
            "With `hmac`: the text before the signature; an entry without it is ignored.");

    static final SettingDefinition<Separator> SIGNATURE_SEPARATOR = SettingDefinition.optional(
            SettingScope.ofSource("signature-separator"),
            SettingType.choice(Separator.class),
            "With `hmac`: what separates several entries in the header.");

    static final SettingDefinition<SignedContent> SIGNED_CONTENT = SettingDefinition.of(
                    SettingScope.ofSource("signed-content"),
                    SettingType.of(
                            "text with `{body}`, `{timestamp}`, `{id}`, `{method}`, `{url}`, `{header:Name}`,"
                                    + " `{query:name}`",
                            text -> Optional.of(SignedContent.parse(text))),
                    SignedContent.parse("{body}"),
                    "With `hmac`: what is signed.")
            .withDocumentedDefault("`{body}`");

    static final SettingDefinition<SecretEncoding> SECRET_ENCODING = SettingDefinition.of(
            SettingScope.ofSource("secret-encoding"),
            SettingType.choice(SecretEncoding.class),
            SecretEncoding.UTF8,
            "With `hmac`: how the secret's text becomes the key; `whsec` is Base64 after `whsec_`.");

    static final SettingDefinition<String> ID_HEADER = SettingDefinition.optional(
            SettingScope.ofSource("id-header"), SettingTypes.HEADER_NAME, "With `hmac`: what `{id}` stands for.");

    static final SettingDefinition<String> TIMESTAMP_HEADER = SettingDefinition.optional(
            SettingScope.ofSource("timestamp-header"),
            SettingTypes.HEADER_NAME,
            "With `hmac`: what `{timestamp}` stands for.");

    static final SettingDefinition<String> TIMESTAMP_PREFIX = SettingDefinition.optional(
            SettingScope.ofSource("timestamp-prefix"),
            SettingType.text("a text without blanks, such as `t=`", PREFIX),
            "With `hmac`, without `timestamp-header`: the entry of the signature's header with the timestamp.");

    static final SettingDefinition<String> TIMESTAMP_JSON = SettingDefinition.optional(
            SettingScope.ofSource("timestamp-json"),
            SettingType.text("a JSON pointer, such as `/sentAt`", Pattern.compile("(/([^~/]|~[01])*){1,200}")),
            "With `hmac`, without the two above: the place of the timestamp in the signed body.");

    static final SettingDefinition<TimestampFormat> TIMESTAMP_FORMAT = SettingDefinition.of(
            SettingScope.ofSource("timestamp-format"),
            SettingType.choice(TimestampFormat.offered()),
            TimestampFormat.SECONDS,
            "With `hmac`: the timestamp's format.");

    static final List<SettingDefinition<?>> SECRETS = List.of(SECRET, SECRET_PREVIOUS, SECRET_FILE, ALLOW_SHORT_SECRET);

    /** Those of a token of OpenID Connect. */
    static final List<SettingDefinition<?>> OF_OIDC = List.of(AUDIENCE, EMAIL);

    static final List<SettingDefinition<?>> OF_EVERY_SCHEME =
            List.of(SECRET, SECRET_PREVIOUS, SECRET_FILE, ALLOW_SHORT_SECRET, TOLERANCE, PUBLIC_URL, AUDIENCE, EMAIL);

    /** What only the generic preset lets a source choose. */
    static final List<SettingDefinition<?>> OF_GENERIC = List.of(
            SIGNATURE_HEADER,
            SIGNATURE_ALGORITHM,
            SIGNATURE_ENCODING,
            SIGNATURE_PREFIX,
            SIGNATURE_SEPARATOR,
            SIGNED_CONTENT,
            SECRET_ENCODING,
            ID_HEADER,
            TIMESTAMP_HEADER,
            TIMESTAMP_PREFIX,
            TIMESTAMP_JSON,
            TIMESTAMP_FORMAT);

    private SignatureSettings() {}

    private static boolean isAddress(String text) {
        try {
            URI url = URI.create(text);
            boolean http = "https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme());
            return http && url.getHost() != null && url.getRawQuery() == null && url.getRawFragment() == null;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
