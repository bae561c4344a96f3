package dev.exactlyonce.source;

import dev.exactlyonce.source.ValueSelector.BodySelector;
import java.util.List;

/** What can be done with one captured request to a source with a preset, before its record expires. */
final class CapturedRequest {
    static final String DUPLICATE = "duplicate";
    static final String RUNS = "runs again";
    static final String REFUSED = "401";

    private final Preset preset;
    private final SignedValues signed;
    private final List<KeyExpression> key;

    private CapturedRequest(Preset preset, List<KeyExpression> key) {
        this.preset = preset;
        this.signed = SignedValues.of(preset);
        this.key = key;
    }

    static CapturedRequest of(Preset preset) {
        String key = preset.line("key").orElse("header:Your-Id");
        return new CapturedRequest(
                preset,
                List.of(key.split(" ", -1)).stream().map(KeyExpression::parse).toList());
    }

    /** What the key is made of. */
    String derivation() {
        if (!signed.isAny()) {
            return "nothing signed";
        }
        if (!isSigned()) {
            return "an unsigned id";
        }
        return key.stream().allMatch(it -> first(it) instanceof BodySelector) ? "the body" : "a signed id";
    }

    /** Sent with another id. */
    String underAnotherId() {
        if (!signed.isAny()) {
            return RUNS;
        }
        if (isSigned()) {
            return REFUSED;
        }
        return preset.isSet("dedup-body") ? DUPLICATE : RUNS;
    }

    /** Sent with its body written otherwise, such as with a blank behind it. */
    String encodedAgain() {
        if (!signed.isAny()) {
            return key.stream().anyMatch(it -> first(it) instanceof BodySelector) ? RUNS : DUPLICATE;
        }
        boolean signsTheBytes = signed.body()
                && switch (preset.line(Preset.SCHEME).orElse("header")) {
                    case "twilio", "adyen", "mailgun", "sns" -> false;
                    default -> true;
                };
        return signsTheBytes ? REFUSED : DUPLICATE;
    }

    private boolean isSigned() {
        return key.stream().allMatch(it -> it.alternatives().stream().allMatch(signed::cover));
    }

    private static ValueSelector first(KeyExpression part) {
        return part.alternatives().get(0);
    }

    /** As the table has it. */
    String text() {
        String time = preset.line("tolerance").isPresent() && signed.isAny() ? REFUSED : RUNS;
        return "as it was: " + DUPLICATE + "; under another id: " + underAnotherId() + "; encoded again: "
                + encodedAgain() + "; after the TTL: " + time;
    }
}
