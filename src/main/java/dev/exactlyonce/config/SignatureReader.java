package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.signature.Freshness;
import dev.exactlyonce.signature.HeaderSignature;
import dev.exactlyonce.signature.JsonFields;
import dev.exactlyonce.signature.PublicUrl;
import dev.exactlyonce.signature.SecretRules;
import dev.exactlyonce.signature.Signatures;
import dev.exactlyonce.signature.SignedContent;
import dev.exactlyonce.signature.SigningTime;
import dev.exactlyonce.signature.oidc.OidcSettings;
import dev.exactlyonce.signature.oidc.OidcToken;
import dev.exactlyonce.source.Preset;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads how the signature of one source is checked: one method a scheme. */
final class SignatureReader {
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
            Setting.SOURCE_TIMESTAMP_JSON,
            Setting.SOURCE_TIMESTAMP_FORMAT);

    private static final JsonFields.Reader JSON = JsonBodyFields::read;

    private static final String OIDC = "oidc";
    private static final List<Setting> OF_OIDC = List.of(Setting.SOURCE_AUDIENCE, Setting.SOURCE_EMAIL);

    private final Values values;
    private final SecretReader secrets;
    private final String source;
    private final InstantSource clock;

    SignatureReader(Values values, String source, InstantSource clock) {
        this.values = values;
        this.secrets = new SecretReader(values);
        this.source = source;
        this.clock = clock;
    }

    DeliveryVerifier read(Optional<Preset> preset) {
        if (preset.isEmpty()) {
            refuse(SECRETS, "without a preset nothing checks it; set preset, hmac for a sender that has none");
            refuse(OF_GENERIC, "counts with preset=hmac alone");
            refuse(List.of(Setting.SOURCE_TOLERANCE, Setting.SOURCE_PUBLIC_URL), "counts beside a preset alone");
            refuse(OF_OIDC, "counts with preset=google-pubsub alone");
            return DeliveryVerifier.NONE;
        }
        int problems = values.problems().size();
        if (!preset.get().line(Preset.SCHEME).equals(Optional.of(OIDC))) {
            refuse(OF_OIDC, "counts with preset=google-pubsub alone");
        }
        if (!preset.get().isGeneric()) {
            refuse(OF_GENERIC, "the preset " + preset.get().name() + " has its own; it counts with preset=hmac alone");
            if (values.problems().size() > problems) {
                return DeliveryVerifier.NONE; // what is read with it would bring forth faults that are none
            }
        }
        SignatureLines lines = new SignatureLines(values, preset.get());
        if (lines.leastBytes() == 1) {
            refuse(
                    List.of(Setting.SOURCE_ALLOW_SHORT_SECRET),
                    "the preset " + preset.get().name() + " takes any length");
        }
        DeliveryVerifier verifier = verifier(preset.get(), lines);
        if (values.problems().size() > problems) {
            return DeliveryVerifier.NONE; // what is wrong stops the start
        }
        if (verifier == DeliveryVerifier.NONE) {
            throw new IllegalStateException("a preset that checks nothing, and nothing is wrong with it");
        }
        return verifier;
    }

    private DeliveryVerifier verifier(Preset preset, SignatureLines lines) {
        return switch (preset.line(Preset.SCHEME).orElse("header")) {
            case "header" -> header(preset, lines, false, PublicUrl.Form.SENT);
            case "numbered-header" -> header(preset, lines, true, PublicUrl.Form.SENT);
            case "hubspot" -> header(preset, lines, false, PublicUrl.Form.HUBSPOT);
            case "standard-webhooks" -> standardWebhooks(preset, lines);
            case "token" -> token(preset, lines);
            case "mailgun" -> mailgun(preset, lines);
            case "adyen" -> adyen(preset, lines);
            case "twilio" -> twilio(preset, lines);
            case "paypal" -> payPal(preset, lines);
            case OIDC -> oidc(preset);
            default -> throw new IllegalStateException("the preset " + preset.name() + " has an unknown scheme");
        };
    }

    private void refuse(List<Setting> settings, String fault) {
        settings.stream().filter(values::isSet).forEach(it -> values.problem(it, fault));
    }

    private void refuseUrl(Preset preset) {
        refuse(
                List.of(Setting.SOURCE_PUBLIC_URL),
                "the signature of the preset " + preset.name() + " does not cover the URL; remove it");
    }

    /** What a source has chosen, and what its other choices leave without effect. */
    private void refuseChosen(Preset preset, Setting setting, String fault) {
        if (preset.isGeneric()) {
            refuse(List.of(setting), fault);
        }
    }

    private void refuseTolerance() {
        refuse(List.of(Setting.SOURCE_TOLERANCE), "nothing tells when a delivery was signed");
    }

    private DeliveryVerifier standardWebhooks(Preset preset, SignatureLines lines) {
        int least = values.bool(Setting.SOURCE_ALLOW_SHORT_SECRET, false) ? 1 : lines.leastBytes();
        refuseUrl(preset);
        String header = lines.required(Setting.SOURCE_SIGNATURE_HEADER);
        String id = lines.required(Setting.SOURCE_ID_HEADER);
        SigningTime time =
                new SigningTime(Optional.of(lines.required(Setting.SOURCE_TIMESTAMP_HEADER)), "", lines.freshness());
        return secrets.verifier(
                preset, them -> Signatures.standardWebhooks(source, header, id, time, least, them, clock));
    }

    private DeliveryVerifier header(Preset preset, SignatureLines lines, boolean isNumbered, PublicUrl.Form form) {
        Optional<String> header = lines.header(Setting.SOURCE_SIGNATURE_HEADER);
        if (header.isEmpty()) {
            values.problem(Setting.SOURCE_SIGNATURE_HEADER, "the preset hmac needs it: the header with the signature");
            return DeliveryVerifier.NONE;
        }
        SignedContent content =
                values.read(Setting.SOURCE_SIGNED_CONTENT, SignedContent.parse("{body}"), SignedContent::parse);
        if (!content.holds("body")) {
            values.problem(
                    Setting.SOURCE_SIGNED_CONTENT, "{body} is not in it: one signature would be good for every body");
            return DeliveryVerifier.NONE;
        }
        Optional<PublicUrl> url = Optional.empty();
        if (content.holds("url")) {
            url = lines.publicUrl(form);
            if (url.isEmpty()) {
                return DeliveryVerifier.NONE;
            }
        } else {
            refuseUrl(preset);
        }
        SecretRules rules = lines.secretRules();
        Optional<SigningTime> time = lines.signingTime();
        Optional<String> pointer = timePointer(lines, time);
        if (time.isEmpty() && pointer.isEmpty()) {
            refuseTolerance();
            refuseChosen(preset, Setting.SOURCE_TIMESTAMP_FORMAT, "nothing tells when a delivery was signed");
        }
        if (!content.holds("id")) {
            refuseChosen(preset, Setting.SOURCE_ID_HEADER, "{id} is not in the signed content");
        }
        if (values.isSet(Setting.SOURCE_TIMESTAMP_HEADER)) {
            refuseChosen(preset, Setting.SOURCE_TIMESTAMP_PREFIX, "timestamp-header tells it already");
        }
        HeaderSignature.Scheme scheme;
        try {
            scheme = new HeaderSignature.Scheme(
                    lines.signatureHeader(header.get(), isNumbered),
                    content,
                    time,
                    lines.header(Setting.SOURCE_ID_HEADER),
                    url);
        } catch (IllegalArgumentException contradiction) {
            values.problem(Setting.SOURCE_SIGNED_CONTENT, String.valueOf(contradiction.getMessage()));
            return DeliveryVerifier.NONE;
        }
        DeliveryVerifier signature =
                secrets.verifier(preset, them -> Signatures.header(source, scheme, rules, them, clock));
        return pointer.isEmpty()
                ? signature
                : Signatures.withTimeInBody(signature, JSON, pointer.get(), lines.freshness(), clock);
    }

    private Optional<String> timePointer(SignatureLines lines, Optional<SigningTime> time) {
        Optional<String> pointer = lines.timePointer();
        if (pointer.isPresent() && time.isPresent()) {
            values.problem(Setting.SOURCE_TIMESTAMP_JSON, "a header tells the timestamp already; set one of them");
        }
        return pointer;
    }

    /** The hexadecimal HMAC of a text under the source's first secret: for a handshake. Only after reading. */
    UnaryOperator<String> signer() {
        return text -> Signatures.hexHmac(text, secrets.read());
    }

    private DeliveryVerifier token(Preset preset, SignatureLines lines) {
        refuseUrl(preset);
        refuseTolerance();
        String header = lines.required(Setting.SOURCE_SIGNATURE_HEADER);
        return secrets.verifier(preset, them -> Signatures.token(source, header, them));
    }

    private DeliveryVerifier mailgun(Preset preset, SignatureLines lines) {
        refuse(
                List.of(Setting.SOURCE_KEY),
                "Mailgun signs its token and no body: only the token as the key binds them");
        refuseUrl(preset);
        Freshness freshness = lines.freshness();
        SecretRules rules = lines.secretRules();
        return secrets.verifier(preset, them -> Signatures.mailgun(source, JSON, freshness, rules, them, clock));
    }

    private DeliveryVerifier adyen(Preset preset, SignatureLines lines) {
        refuseUrl(preset);
        refuseTolerance();
        SecretRules rules = lines.secretRules();
        return secrets.verifier(preset, them -> Signatures.adyen(source, JSON, rules, them));
    }

    private DeliveryVerifier oidc(Preset preset) {
        int before = values.problems().size();
        refuseUrl(preset);
        refuseTolerance();
        refuse(SECRETS, "the preset " + preset.name() + " shares none; it has audience and email");
        if (!OidcSettings.isLibraryThere()) {
            values.problem(
                    Setting.SOURCE_PRESET,
                    "'" + preset.name() + "' needs a JOSE library in the application; add the dependency "
                            + OidcSettings.LIBRARY);
        }
        OF_OIDC.stream()
                .filter(it -> values.text(it).isEmpty())
                .forEach(it -> values.problem(it, "the preset " + preset.name() + " needs it"));
        OidcSettings settings = new OidcSettings(
                URI.create(preset.line(Preset.KEYS).orElseThrow()),
                Set.of(preset.line(Preset.ISSUERS).orElseThrow().split(",")),
                values.text(Setting.SOURCE_AUDIENCE).orElse(""),
                values.text(Setting.SOURCE_EMAIL).orElse(""));
        return values.problems().size() > before ? DeliveryVerifier.NONE : new OidcToken(settings, clock);
    }

    private DeliveryVerifier twilio(Preset preset, SignatureLines lines) {
        refuseTolerance();
        String header = lines.required(Setting.SOURCE_SIGNATURE_HEADER);
        SecretRules rules = lines.secretRules();
        return lines.publicUrl(PublicUrl.Form.SENT)
                .map(url -> secrets.verifier(preset, them -> Signatures.twilio(source, header, url, rules, them)))
                .orElse(DeliveryVerifier.NONE);
    }

    private DeliveryVerifier payPal(Preset preset, SignatureLines lines) {
        refuseUrl(preset);
        Freshness freshness = lines.freshness();
        return secrets.verifier(preset, them -> Signatures.payPal(freshness, them, clock));
    }
}
