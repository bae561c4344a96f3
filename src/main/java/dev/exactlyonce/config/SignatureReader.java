package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.signature.Algorithm;
import dev.exactlyonce.signature.HeaderSignature;
import dev.exactlyonce.signature.SecretEncoding;
import dev.exactlyonce.signature.SecretFile;
import dev.exactlyonce.signature.SecretRules;
import dev.exactlyonce.signature.Secrets;
import dev.exactlyonce.signature.SignatureEncoding;
import dev.exactlyonce.signature.SignatureHeader;
import dev.exactlyonce.signature.SignatureHeader.Separator;
import dev.exactlyonce.signature.Signatures;
import dev.exactlyonce.signature.SignedContent;
import dev.exactlyonce.signature.SigningTime;
import dev.exactlyonce.signature.TimestampFormat;
import dev.exactlyonce.source.Preset;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads how the signature of one source is checked, and with which secrets. No message holds a word of a secret. */
final class SignatureReader {
    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}");
    private static final Pattern PREFIX = Pattern.compile("[!-~]{1,100}");
    private static final Duration MOST_TOLERANCE = Duration.ofDays(36500);
    private static final String STANDARD_WEBHOOKS = "standard-webhooks";

    private static final List<Setting> SECRETS = List.of(
            Setting.SOURCE_SECRET,
            Setting.SOURCE_SECRET_PREVIOUS,
            Setting.SOURCE_SECRET_FILE,
            Setting.SOURCE_ALLOW_SHORT_SECRET);

    /** What only the generic preset lets a source choose. */
    private static final List<Setting> OF_GENERIC = List.of(
            Setting.SOURCE_SIGNATURE_HEADER,
            Setting.SOURCE_SIGNATURE_ALGORITHM,
            Setting.SOURCE_SIGNATURE_ENCODING,
            Setting.SOURCE_SIGNATURE_PREFIX,
            Setting.SOURCE_SIGNATURE_SEPARATOR,
            Setting.SOURCE_SIGNED_CONTENT,
            Setting.SOURCE_SECRET_ENCODING,
            Setting.SOURCE_ID_HEADER,
            Setting.SOURCE_TIMESTAMP_HEADER,
            Setting.SOURCE_TIMESTAMP_PREFIX,
            Setting.SOURCE_TIMESTAMP_FORMAT);

    private final Values values;
    private final String source;
    private final InstantSource clock;
    private @Nullable Secrets secrets;

    SignatureReader(Values values, String source, InstantSource clock) {
        this.values = values;
        this.source = source;
        this.clock = clock;
    }

    DeliveryVerifier read(Optional<Preset> preset) {
        if (preset.isEmpty()) {
            refuse(SECRETS, "without a preset nothing checks it; set preset, hmac for a sender that has none");
            refuse(OF_GENERIC, "counts with preset=hmac alone");
            refuse(List.of(Setting.SOURCE_TOLERANCE, Setting.SOURCE_PUBLIC_URL), "counts beside a preset alone");
            return DeliveryVerifier.NONE;
        }
        int problems = values.problems().size();
        if (!preset.get().isGeneric()) {
            refuse(OF_GENERIC, "the preset " + preset.get().name() + " has its own; it counts with preset=hmac alone");
        }
        DeliveryVerifier verifier = preset.get().line(Preset.SCHEME).equals(Optional.of(STANDARD_WEBHOOKS))
                ? standardWebhooks(preset.get())
                : header(preset.get());
        return values.problems().size() == problems ? verifier : DeliveryVerifier.NONE; // what is wrong stops the start
    }

    private void refuse(List<Setting> settings, String fault) {
        settings.stream().filter(values::isSet).forEach(it -> values.problem(it, fault));
    }

    private DeliveryVerifier standardWebhooks(Preset preset) {
        int least = values.bool(Setting.SOURCE_ALLOW_SHORT_SECRET, false) ? 1 : leastBytes(preset);
        refuseUnsignedUrl(preset, false);
        SigningTime time = new SigningTime(
                Optional.of(line(Setting.SOURCE_TIMESTAMP_HEADER)), "", TimestampFormat.SECONDS, tolerance());
        return withSecrets(
                preset,
                secrets -> Signatures.standardWebhooks(
                        source,
                        line(Setting.SOURCE_SIGNATURE_HEADER),
                        line(Setting.SOURCE_ID_HEADER),
                        time,
                        least,
                        secrets,
                        clock));
    }

    private DeliveryVerifier header(Preset preset) {
        if (leastBytes(preset) == 1) {
            refuse(List.of(Setting.SOURCE_ALLOW_SHORT_SECRET), "the preset " + preset.name() + " takes any length");
        }
        Optional<String> header = headerName(Setting.SOURCE_SIGNATURE_HEADER);
        if (header.isEmpty()) {
            values.problem(Setting.SOURCE_SIGNATURE_HEADER, "the preset hmac needs it: the header with the signature");
            return DeliveryVerifier.NONE;
        }
        SignedContent content =
                values.read(Setting.SOURCE_SIGNED_CONTENT, SignedContent.parse("{body}"), SignedContent::parse);
        refuseUnsignedUrl(preset, content.holds("url"));
        SecretRules rules = new SecretRules(
                values.choice(Setting.SOURCE_SIGNATURE_ALGORITHM, Algorithm.SHA256),
                values.choice(Setting.SOURCE_SECRET_ENCODING, SecretEncoding.UTF8),
                leastBytes(preset));
        Optional<HeaderSignature.Scheme> scheme = scheme(header.get(), content);
        return scheme.isEmpty()
                ? DeliveryVerifier.NONE
                : withSecrets(preset, secrets -> Signatures.header(source, scheme.get(), rules, secrets, clock));
    }

    private Optional<HeaderSignature.Scheme> scheme(String header, SignedContent content) {
        SignatureHeader where = new SignatureHeader(
                header,
                values.read(
                        Setting.SOURCE_SIGNATURE_SEPARATOR,
                        Optional.empty(),
                        text -> Optional.of(Values.oneOf(Separator.values(), text))),
                prefix(Setting.SOURCE_SIGNATURE_PREFIX),
                values.choice(Setting.SOURCE_SIGNATURE_ENCODING, SignatureEncoding.HEX));
        try {
            return Optional.of(new HeaderSignature.Scheme(
                    where, content, time(), headerName(Setting.SOURCE_ID_HEADER), publicUrl()));
        } catch (IllegalArgumentException contradiction) {
            values.problem(Setting.SOURCE_SIGNED_CONTENT, String.valueOf(contradiction.getMessage()));
            return Optional.empty();
        }
    }

    /** Each secret is tried for itself, so that a fault names the setting that has it. */
    private DeliveryVerifier withSecrets(Preset preset, Function<Secrets, DeliveryVerifier> maker) {
        List<String> secrets = new ArrayList<>();
        for (Setting setting : List.of(Setting.SOURCE_SECRET, Setting.SOURCE_SECRET_PREVIOUS)) {
            Optional<String> secret = values.secret(setting);
            secret.filter(it -> isSound(setting, maker, new Secrets(List.of(it), Optional.empty())))
                    .ifPresent(secrets::add);
        }
        Optional<SecretFile> file = values.read(
                Setting.SOURCE_SECRET_FILE, Optional.empty(), text -> Optional.of(new SecretFile(path(text))));
        if (file.isPresent() && !isSound(Setting.SOURCE_SECRET_FILE, maker, new Secrets(List.of(), file))) {
            return DeliveryVerifier.NONE;
        }
        if (secrets.isEmpty() && file.isEmpty()) {
            if (!values.isSet(Setting.SOURCE_SECRET) && !values.isSet(Setting.SOURCE_SECRET_FILE)) {
                values.problem(
                        Setting.SOURCE_SECRET,
                        "the preset " + preset.name() + " needs it, or secret-file: "
                                + preset.line(Preset.SECRET_IS).orElse("the sender's secret"));
            }
            return DeliveryVerifier.NONE;
        }
        this.secrets = new Secrets(secrets, file);
        return maker.apply(this.secrets);
    }

    /** The hexadecimal HMAC of a text under the source's first secret: for a handshake. Only after reading. */
    UnaryOperator<String> signer() {
        return text -> Signatures.hexHmac(text, Objects.requireNonNull(secrets, "a source without a secret"));
    }

    private boolean isSound(Setting setting, Function<Secrets, DeliveryVerifier> maker, Secrets secrets) {
        try {
            return maker.apply(secrets) != null;
        } catch (IllegalArgumentException fault) {
            values.problem(setting, String.valueOf(fault.getMessage()));
            return false;
        }
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("is no path of this system");
        }
    }

    private Optional<SigningTime> time() {
        Optional<String> header = headerName(Setting.SOURCE_TIMESTAMP_HEADER);
        String prefix = prefix(Setting.SOURCE_TIMESTAMP_PREFIX);
        if (header.isEmpty() && prefix.isEmpty()) {
            refuse(List.of(Setting.SOURCE_TOLERANCE), "nothing tells when a delivery was signed");
            return Optional.empty();
        }
        return Optional.of(new SigningTime(
                header, prefix, values.choice(Setting.SOURCE_TIMESTAMP_FORMAT, TimestampFormat.SECONDS), tolerance()));
    }

    private Duration tolerance() {
        return values.duration(Setting.SOURCE_TOLERANCE, SigningTime.DEFAULT_TOLERANCE, Duration.ZERO, MOST_TOLERANCE);
    }

    private Optional<String> publicUrl() {
        return values.read(Setting.SOURCE_PUBLIC_URL, Optional.empty(), text -> {
            try {
                URI url = URI.create(text);
                boolean http = "https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme());
                if (http && url.getHost() != null && url.getRawQuery() == null && url.getRawFragment() == null) {
                    return Optional.of(text);
                }
            } catch (IllegalArgumentException malformed) {
                // falls through to the one message
            }
            throw Values.notAllowed(text, Setting.SOURCE_PUBLIC_URL.allowed());
        });
    }

    private void refuseUnsignedUrl(Preset preset, boolean signed) {
        if (!signed) {
            refuse(
                    List.of(Setting.SOURCE_PUBLIC_URL),
                    "the signature of the preset " + preset.name() + " does not cover the URL; remove it");
        }
    }

    private Optional<String> headerName(Setting setting) {
        return values.read(setting, Optional.empty(), text -> {
            if (!HEADER.matcher(text).matches()) {
                throw Values.notAllowed(text, setting.allowed());
            }
            return Optional.of(text);
        });
    }

    private String prefix(Setting setting) {
        return values.read(setting, "", text -> {
            if (!PREFIX.matcher(text).matches()) {
                throw Values.notAllowed(text, setting.allowed());
            }
            return text;
        });
    }

    /** A line that the preset must have. */
    private String line(Setting setting) {
        return headerName(setting).orElseThrow(() -> new IllegalStateException("the preset has no " + setting.key()));
    }

    private static int leastBytes(Preset preset) {
        return preset.line(Preset.LEAST_SECRET_BYTES).map(Integer::parseInt).orElse(1);
    }
}
