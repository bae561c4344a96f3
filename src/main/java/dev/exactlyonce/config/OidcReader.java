package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.signature.oidc.OidcSettings;
import dev.exactlyonce.signature.oidc.OidcToken;
import dev.exactlyonce.source.Preset;
import java.net.URI;
import java.time.InstantSource;
import java.util.Set;

/** Reads whose tokens vouch for the deliveries of one source. */
final class OidcReader {
    private final ConfigReader values;
    private final SignatureLines lines;
    private final Preset preset;
    private final InstantSource clock;

    OidcReader(ConfigReader values, SignatureLines lines, Preset preset, InstantSource clock) {
        this.values = values;
        this.lines = lines;
        this.preset = preset;
        this.clock = clock;
    }

    /** Accepts everything where something is wrong; that stops the deployment. */
    DeliveryVerifier read() {
        int before = values.problems().size();
        lines.refuseUrl();
        lines.refuseTolerance();
        values.refuse(
                SignatureSettings.SECRETS, "the preset " + preset.name() + " shares none; it has audience and email");
        if (!OidcSettings.isLibraryThere()) {
            values.problem(
                    PerSourceSettings.PRESET,
                    "'" + preset.name() + "' needs a JOSE library in the application; add the dependency "
                            + OidcSettings.LIBRARY);
        }
        SignatureSettings.OF_OIDC.stream()
                .filter(it -> values.text(it).isEmpty())
                .forEach(it -> values.problem(it, "the preset " + preset.name() + " needs it"));
        OidcSettings settings = new OidcSettings(
                URI.create(preset.line(Preset.KEYS).orElseThrow()),
                Set.of(preset.line(Preset.ISSUERS).orElseThrow().split(",")),
                values.text(SignatureSettings.AUDIENCE).orElse(""),
                values.text(SignatureSettings.EMAIL).orElse(""));
        return values.problems().size() > before ? DeliveryVerifier.NONE : new OidcToken(settings, clock);
    }
}
