package dev.exactlyonce.admission;

import java.util.Optional;

/**
 * Whether a delivery comes from its source.
 *
 * @param fault why not, in words that hold nothing of the request or a secret; empty when it does
 */
public record Verification(Optional<String> fault) {
    public static final Verification VALID = new Verification(Optional.empty());

    public static Verification refused(String fault) {
        return new Verification(Optional.of(fault));
    }

    public boolean isValid() {
        return fault.isEmpty();
    }
}
