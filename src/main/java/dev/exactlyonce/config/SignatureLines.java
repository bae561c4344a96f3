package dev.exactlyonce.config;

import dev.exactlyonce.signature.Algorithm;
import dev.exactlyonce.signature.Freshness;
import dev.exactlyonce.signature.PublicUrl;
import dev.exactlyonce.signature.SecretEncoding;
import dev.exactlyonce.signature.SecretRules;
import dev.exactlyonce.signature.SignatureEncoding;
import dev.exactlyonce.signature.SignatureHeader;
import dev.exactlyonce.signature.SignatureHeader.Separator;
import dev.exactlyonce.signature.SigningTime;
import dev.exactlyonce.signature.TimestampFormat;
import dev.exactlyonce.source.Preset;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the single lines that describe a signature: a preset's, or with the preset hmac the source's own. */
final class SignatureLines {
    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}");
    private static final Pattern PREFIX = Pattern.compile("[!-~]{1,100}");
    private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*){1,200}");
    private static final Duration MOST_TOLERANCE = Duration.ofDays(36500);

    private final ConfigReader values;
    private final Preset preset;

    SignatureLines(ConfigReader values, Preset preset) {
        this.values = values;
        this.preset = preset;
    }

    SecretRules secretRules() {
        Algorithm[] allowed = preset.isGeneric() ? Algorithm.offered() : Algorithm.values();
        return new SecretRules(
                values.read(
                        Setting.SOURCE_SIGNATURE_ALGORITHM,
                        Algorithm.SHA256,
                        text -> ConfigReader.oneOf(allowed, text)),
                values.choice(Setting.SOURCE_SECRET_ENCODING, SecretEncoding.UTF8),
                leastBytes());
    }

    int leastBytes() {
        return preset.line(Preset.LEAST_SECRET_BYTES).map(Integer::parseInt).orElse(1);
    }

    SignatureHeader signatureHeader(List<String> names, boolean isNumbered) {
        return new SignatureHeader(
                names,
                isNumbered,
                values.read(
                        Setting.SOURCE_SIGNATURE_SEPARATOR,
                        Optional.empty(),
                        text -> Optional.of(ConfigReader.oneOf(Separator.values(), text))),
                prefix(Setting.SOURCE_SIGNATURE_PREFIX),
                values.read(
                        Setting.SOURCE_SIGNATURE_ENCODING,
                        SignatureEncoding.HEX,
                        text -> ConfigReader.oneOf(
                                preset.isGeneric() ? SignatureEncoding.offered() : SignatureEncoding.values(), text)));
    }

    /** Where the headers tell the time. */
    Optional<SigningTime> signingTime() {
        Optional<String> header = header(Setting.SOURCE_TIMESTAMP_HEADER);
        String prefix = prefix(Setting.SOURCE_TIMESTAMP_PREFIX);
        return header.isEmpty() && prefix.isEmpty() && !preset.isSet(Preset.TIMESTAMP_FIRST)
                ? Optional.empty()
                : Optional.of(new SigningTime(header, prefix, freshness()));
    }

    /** Whether the preset's signature covers no body. */
    boolean leavesTheBodyUnsigned() {
        return preset.isSet(Preset.BODY_UNSIGNED);
    }

    /** Where it is in the body. */
    Optional<String> timePointer() {
        return values.read(Setting.SOURCE_TIMESTAMP_JSON, Optional.empty(), text -> {
            if (!POINTER.matcher(text).matches()) {
                throw ConfigReader.notAllowed(text, Setting.SOURCE_TIMESTAMP_JSON.allowed());
            }
            return Optional.of(text);
        });
    }

    Freshness freshness() {
        return new Freshness(
                values.read(
                        Setting.SOURCE_TIMESTAMP_FORMAT,
                        TimestampFormat.SECONDS,
                        text -> ConfigReader.oneOf(
                                preset.isGeneric() ? TimestampFormat.offered() : TimestampFormat.values(), text)),
                values.duration(Setting.SOURCE_TOLERANCE, Freshness.DEFAULT_TOLERANCE, Duration.ZERO, MOST_TOLERANCE));
    }

    /** The called address, which the signature covers; a fault when it is not set. */
    Optional<PublicUrl> publicUrl(PublicUrl.UrlForm form) {
        int problems = values.problems().size();
        Optional<PublicUrl> url = values.read(
                Setting.SOURCE_PUBLIC_URL, Optional.empty(), text -> Optional.of(new PublicUrl(address(text), form)));
        if (url.isEmpty() && values.problems().size() == problems) {
            values.problem(
                    Setting.SOURCE_PUBLIC_URL,
                    "the signature of the preset " + preset.name()
                            + " covers the address that the sender calls; set it as the sender has it");
        }
        return url;
    }

    private static String address(String text) {
        try {
            URI url = URI.create(text);
            boolean http = "https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme());
            if (http && url.getHost() != null && url.getRawQuery() == null && url.getRawFragment() == null) {

                return text;
            }
        } catch (IllegalArgumentException malformed) {
            // falls through to the one message
        }
        throw new IllegalArgumentException( // it may hold a password
                "not a valid address; allowed: " + Setting.SOURCE_PUBLIC_URL.allowed());
    }

    /** The names that a header may have, separated by bars; none where it is not set. */
    List<String> headers(Setting setting) {
        return values.read(setting, List.of(), text -> {
            List<String> names = List.of(text.split("\\|", -1));
            if (!names.stream().allMatch(it -> HEADER.matcher(it).matches())) {
                throw ConfigReader.notAllowed(text, setting.allowed());
            }
            return names;
        });
    }

    Optional<String> header(Setting setting) {
        return values.read(setting, Optional.empty(), text -> {
            if (!HEADER.matcher(text).matches()) {
                throw ConfigReader.notAllowed(text, setting.allowed());
            }
            return Optional.of(text);
        });
    }

    /** A header's name that the preset must have. */
    String required(Setting setting) {
        return header(setting).orElseThrow(() -> new IllegalStateException("the preset has no " + setting.key()));
    }

    private String prefix(Setting setting) {
        return values.read(setting, "", text -> {
            if (!PREFIX.matcher(text).matches()) {
                throw ConfigReader.notAllowed(text, setting.allowed());
            }
            return text;
        });
    }

    /** Where the signature does not cover the address. */
    void refuseUrl() {
        values.refuse(
                List.of(Setting.SOURCE_PUBLIC_URL),
                "the signature of the preset " + preset.name() + " does not cover the URL; remove it");
    }

    void refuseTolerance() {
        values.refuse(List.of(Setting.SOURCE_TOLERANCE), "no setting says where the timestamp of a delivery is");
    }

    /** What a source has chosen, and what its other choices leave without effect. */
    void refuseChosen(Setting setting, String fault) {
        if (preset.isGeneric()) {
            values.refuse(List.of(setting), fault);
        }
    }

    /** What a source has chosen, and what is to be known of it. */
    void warnOfChosen(Setting setting, String warning) {
        if (preset.isGeneric()) {
            values.warning(setting, warning);
        }
    }
}
