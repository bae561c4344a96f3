package dev.exactlyonce.common;

import java.util.Locale;

/** Names of enum constants as they are written in configuration. */
public final class KebabCase {
    private KebabCase() {}

    /** {@code client-error} for {@code CLIENT_ERROR}, in every locale. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
