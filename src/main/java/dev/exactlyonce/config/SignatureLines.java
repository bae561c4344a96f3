package dev.exactlyonce.config;

import dev.exactlyonce.signature.Algorithm;
import dev.exactlyonce.signature.Freshness;
import dev.exactlyonce.signature.PublicUrl;
import dev.exactlyonce.signature.SecretRules;
import dev.exactlyonce.signature.SignatureEncoding;
import dev.exactlyonce.signature.SignatureHeader;
import dev.exactlyonce.signature.SigningTime;
import dev.exactlyonce.signature.TimestampFormat;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import java.util.List;
import java.util.Optional;

/** Reads the single lines that describe a signature: a preset's, or with the preset hmac the source's own. */
final class SignatureLines {
    private final ConfigReader values;
    private final Preset preset;

    SignatureLines(ConfigReader values, Preset preset) {
        this.values = values;
        this.preset = preset;
    }

    SecretRules secretRules() {
        return new SecretRules(
                values.get(SignatureSettings.SIGNATURE_ALGORITHM, SettingType.choice(Algorithm.class)),
                values.get(SignatureSettings.SECRET_ENCODING),
                leastBytes());
    }

    int leastBytes() {
        return preset.line(Preset.LEAST_SECRET_BYTES).map(Integer::parseInt).orElse(1);
    }

    SignatureHeader signatureHeader(List<String> names, boolean isNumbered) {
        return new SignatureHeader(
                names,
                isNumbered,
                values.find(SignatureSettings.SIGNATURE_SEPARATOR),
                values.find(SignatureSettings.SIGNATURE_PREFIX).orElse(""),
                values.get(SignatureSettings.SIGNATURE_ENCODING, SettingType.choice(SignatureEncoding.class)));
    }

    /** Where the headers tell the time. */
    Optional<SigningTime> signingTime() {
        Optional<String> header = values.find(SignatureSettings.TIMESTAMP_HEADER);
        String prefix = values.find(SignatureSettings.TIMESTAMP_PREFIX).orElse("");
        return header.isEmpty() && prefix.isEmpty() && !preset.isSet(Preset.TIMESTAMP_FIRST)
                ? Optional.empty()
                : Optional.of(new SigningTime(header, prefix, freshness()));
    }

    /** Whether the preset's signature covers no body. */
    boolean leavesTheBodyUnsigned() {
        return preset.isSet(Preset.BODY_UNSIGNED);
    }

    Freshness freshness() {
        return new Freshness(
                values.get(SignatureSettings.TIMESTAMP_FORMAT, SettingType.choice(TimestampFormat.class)),
                values.get(SignatureSettings.TOLERANCE));
    }

    /** The called address, which the signature covers; a fault when it is not set. */
    Optional<PublicUrl> publicUrl(PublicUrl.UrlForm form) {
        int problems = values.problems().size();
        Optional<PublicUrl> url = values.find(SignatureSettings.PUBLIC_URL).map(it -> new PublicUrl(it, form));
        if (url.isEmpty() && values.problems().size() == problems) {
            values.problem(
                    SignatureSettings.PUBLIC_URL,
                    "the signature of the preset " + preset.name()
                            + " covers the address that the sender calls; set it as the sender has it");
        }
        return url;
    }

    /** The names that the header may have; none where it is not set. */
    List<String> signatureHeaders() {
        return values.find(SignatureSettings.SIGNATURE_HEADER).orElse(List.of());
    }

    /** The one name that the header has. */
    Optional<String> signatureHeader() {
        return values.find(SignatureSettings.SIGNATURE_HEADER).map(it -> it.get(0));
    }

    /** What the preset must have. */
    <T> T required(SettingDefinition<T> setting) {
        return values.find(setting).orElseThrow(() -> new IllegalStateException("the preset has no " + setting));
    }

    /** Where the signature does not cover the address. */
    void refuseUrl() {
        values.refuse(
                List.of(SignatureSettings.PUBLIC_URL),
                "the signature of the preset " + preset.name() + " does not cover the URL; remove it");
    }

    void refuseTolerance() {
        values.refuse(List.of(SignatureSettings.TOLERANCE), "no setting says where the timestamp of a delivery is");
    }

    /** What a source has chosen, and what its other choices leave without effect. */
    void refuseChosen(SettingDefinition<?> setting, String fault) {
        if (preset.isGeneric()) {
            values.refuse(List.of(setting), fault);
        }
    }

    /** What a source has chosen, and what is to be known of it. */
    void warnOfChosen(SettingDefinition<?> setting, String warning) {
        if (preset.isGeneric()) {
            values.warning(setting, warning);
        }
    }
}
