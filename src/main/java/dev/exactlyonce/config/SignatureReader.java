package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.signature.FormReader;
import dev.exactlyonce.signature.Freshness;
import dev.exactlyonce.signature.JsonFields;
import dev.exactlyonce.signature.PublicUrl;
import dev.exactlyonce.signature.SecretPlace;
import dev.exactlyonce.signature.SecretRules;
import dev.exactlyonce.signature.Signatures;
import dev.exactlyonce.signature.SigningTime;
import dev.exactlyonce.source.HandshakeSupport;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.SignedValues;
import dev.exactlyonce.spi.SettingDefinition;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Reads how the signature of one source is checked: one method a scheme. */
final class SignatureReader {
    private static final JsonFields.Reader JSON = JsonBodyFields::read;
    private static final FormReader FORMS = new FormBodyFields();

    private static final String OIDC = "oidc";
    private static final String UNSIGNED = "unsigned";

    /** The one preset with a token whose header the source may choose. */
    private static final String ANY_TOKEN = "token";

    private final ConfigReader values;
    private final SecretReader secrets;
    private final String source;
    private final InstantSource clock;

    SignatureReader(ConfigReader values, String source, InstantSource clock) {
        this.values = values;
        this.secrets = new SecretReader(values);
        this.source = source;
        this.clock = clock;
    }

    DeliveryVerifier read(Optional<Preset> preset) {
        if (preset.isEmpty()) {
            values.refuse(
                    SignatureSettings.SECRETS,
                    "without a preset nothing checks it; set preset, hmac for a sender that has none");
            values.refuse(SignatureSettings.OF_GENERIC, "counts with preset=hmac alone");
            values.refuse(
                    List.of(SignatureSettings.TOLERANCE, SignatureSettings.PUBLIC_URL), "counts beside a preset alone");
            values.refuse(SignatureSettings.OF_OIDC, "counts with preset=google-pubsub alone");
            return DeliveryVerifier.NONE;
        }
        int problems = values.problems().size();
        if (!preset.get().line(Preset.SCHEME).equals(Optional.of(OIDC))) {
            values.refuse(SignatureSettings.OF_OIDC, "counts with preset=google-pubsub alone");
        }
        if (!preset.get().isGeneric()) {
            List<SettingDefinition<?>> own = SignatureSettings.OF_GENERIC.stream()
                    .filter(it -> it != SignatureSettings.SIGNATURE_HEADER || !isAnyToken(preset.get()))
                    .toList();
            values.refuse(own, "the preset " + preset.get().name() + " has its own; it counts with preset=hmac alone");
            if (values.problems().size() > problems) {
                return DeliveryVerifier.NONE; // what is read with it would bring forth faults that are none
            }
        }
        SignatureLines lines = new SignatureLines(values, preset.get());
        if (lines.leastBytes() == 1) {
            values.refuse(
                    List.of(SignatureSettings.ALLOW_SHORT_SECRET),
                    "the preset " + preset.get().name() + " takes any length");
        }
        DeliveryVerifier verifier = verifier(preset.get(), lines);
        if (values.problems().size() > problems) {
            return DeliveryVerifier.NONE; // what is wrong stops the start
        }
        if (verifier == DeliveryVerifier.NONE
                && !preset.get().line(Preset.SCHEME).equals(Optional.of(UNSIGNED))) {
            throw new IllegalStateException("a preset that checks nothing, and nothing is wrong with it");
        }
        return verifier;
    }

    private DeliveryVerifier verifier(Preset preset, SignatureLines lines) {
        return switch (preset.line(Preset.SCHEME).orElse("header")) {
            case "header" -> header(preset, lines, false, PublicUrl.UrlForm.SENT);
            case "numbered-header" -> header(preset, lines, true, PublicUrl.UrlForm.SENT);
            case "hubspot" -> header(preset, lines, false, PublicUrl.UrlForm.HUBSPOT);
            case "standard-webhooks" -> standardWebhooks(preset, lines);
            case "token" -> token(preset, lines, place(preset, lines));
            case "basic" -> token(preset, lines, SecretPlace.CREDENTIALS);
            case "sns" -> sns(preset, lines);
            case UNSIGNED -> unsigned(preset, lines);
            case "mailgun" -> mailgun(preset, lines);
            case "adyen" -> adyen(preset, lines);
            case "twilio" -> twilio(preset, lines);
            case "paypal" -> payPal(preset, lines);
            case OIDC -> new OidcReader(values, lines, preset, clock).read();
            default -> throw new IllegalStateException("the preset " + preset.name() + " has an unknown scheme");
        };
    }

    private DeliveryVerifier header(Preset preset, SignatureLines lines, boolean isNumbered, PublicUrl.UrlForm form) {
        return new HeaderSignatureReader(values, lines, isNumbered, form)
                .read()
                .map(it -> secrets.verifier(preset, them -> {
                    DeliveryVerifier signature = it.verifier(source, them, clock);
                    return preset.isSet(Preset.JSON_BODY) ? Signatures.ofJson(signature, JSON) : signature;
                }))
                .orElse(DeliveryVerifier.NONE);
    }

    /** What the signature covers. */
    SignedValues signed(Optional<Preset> preset) {
        return preset.map(it -> SignedValues.of(it.isGeneric() ? withSettings(it) : it))
                .orElse(SignedValues.NONE);
    }

    /** With what the source has chosen itself. */
    private Preset withSettings(Preset preset) {
        Map<String, String> lines = new HashMap<>(preset.lines());
        Stream.of(SignatureSettings.SIGNED_CONTENT, SignatureSettings.ID_HEADER, SignatureSettings.TIMESTAMP_HEADER)
                .forEach(it -> values.text(it).ifPresent(text -> lines.put(SettingScope.key(it), text)));
        return new Preset(preset.name(), lines);
    }

    private DeliveryVerifier standardWebhooks(Preset preset, SignatureLines lines) {
        int least = values.get(SignatureSettings.ALLOW_SHORT_SECRET) ? 1 : lines.leastBytes();
        lines.refuseUrl();
        String header = lines.required(SignatureSettings.SIGNATURE_HEADER).get(0);
        String id = lines.required(SignatureSettings.ID_HEADER);
        String time = lines.required(SignatureSettings.TIMESTAMP_HEADER);
        Freshness freshness = lines.freshness();
        return secrets.verifier(preset, them -> {
            DeliveryVerifier own = Signatures.standardWebhooks(
                    source, header, id, new SigningTime(Optional.of(time), "", freshness), least, them, clock);
            return preset.isSet(Preset.WHITE_LABEL)
                    ? Signatures.whiteLabelled(
                            List.of(header, id, time),
                            own,
                            Signatures.standardWebhooks(
                                    source,
                                    "webhook-signature",
                                    "webhook-id",
                                    new SigningTime(Optional.of("webhook-timestamp"), "", freshness),
                                    least,
                                    them,
                                    clock))
                    : own;
        });
    }

    /** The hexadecimal HMAC of a text under the source's first secret: for a handshake. Only after reading. */
    UnaryOperator<String> signer() {
        return text -> Signatures.hexHmac(text, secrets.read());
    }

    /** What a handshake needs. Only after reading. */
    HandshakeSupport handshakes() {
        boolean confirms = values.get(PerSourceSettings.CONFIRM_SUBSCRIPTION);
        return new HandshakeSupport(signer(), url -> confirms && Signatures.confirmSns(url));
    }

    private static boolean isAnyToken(Preset preset) {
        return preset.name().equals(ANY_TOKEN);
    }

    private static SecretPlace place(Preset preset, SignatureLines lines) {
        Optional<String> header = lines.signatureHeader();
        return header.map(it -> new SecretPlace(SecretPlace.Kind.HEADER, it))
                .orElseGet(() -> SecretPlace.parse(preset.line(Preset.TOKEN_AT).orElseThrow()));
    }

    private DeliveryVerifier token(Preset preset, SignatureLines lines, SecretPlace place) {
        lines.refuseUrl();
        lines.refuseTolerance();
        return secrets.verifier(preset, them -> Signatures.token(source, place, JSON, them));
    }

    private DeliveryVerifier unsigned(Preset preset, SignatureLines lines) {
        lines.refuseUrl();
        lines.refuseTolerance();
        values.refuse(SignatureSettings.SECRETS, preset.title() + " signs nothing; remove it");
        return DeliveryVerifier.NONE;
    }

    private DeliveryVerifier sns(Preset preset, SignatureLines lines) {
        lines.refuseUrl();
        Freshness freshness = lines.freshness();
        return secrets.verifier(preset, them -> Signatures.sns(JSON, freshness, them, clock));
    }

    private DeliveryVerifier mailgun(Preset preset, SignatureLines lines) {
        values.refuse(
                List.of(PerSourceSettings.KEY),
                "Mailgun signs its token and no body: only the token as the key binds them");
        lines.refuseUrl();
        Freshness freshness = lines.freshness();
        SecretRules rules = lines.secretRules();
        return secrets.verifier(preset, them -> Signatures.mailgun(source, JSON, FORMS, freshness, rules, them, clock));
    }

    private DeliveryVerifier adyen(Preset preset, SignatureLines lines) {
        lines.refuseUrl();
        lines.refuseTolerance();
        SecretRules rules = lines.secretRules();
        return secrets.verifier(preset, them -> Signatures.adyen(source, JSON, rules, them));
    }

    private DeliveryVerifier twilio(Preset preset, SignatureLines lines) {
        lines.refuseTolerance();
        String header = lines.required(SignatureSettings.SIGNATURE_HEADER).get(0);
        SecretRules rules = lines.secretRules();
        return lines.publicUrl(PublicUrl.UrlForm.SENT)
                .map(url -> secrets.verifier(preset, them -> Signatures.twilio(source, header, url, rules, them)))
                .orElse(DeliveryVerifier.NONE);
    }

    private DeliveryVerifier payPal(Preset preset, SignatureLines lines) {
        lines.refuseUrl();
        Freshness freshness = lines.freshness();
        return secrets.verifier(preset, them -> Signatures.payPal(freshness, them, clock));
    }
}
