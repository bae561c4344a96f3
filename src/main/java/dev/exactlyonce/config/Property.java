package dev.exactlyonce.config;

import java.util.Locale;
import java.util.Optional;

/** A setting as it is documented: its name, its default, what is allowed and what it means. */
interface Property {
    String PREFIX = "exactlyonce.";

    /**
     * What is documented of it.
     *
     * @param key the name; of a source's or an endpoint's setting, without what names it
     * @param allowed in Markdown
     */
    record Words(String key, String byDefault, String allowed, String meaning) {}

    Words words();

    default String key() {
        return words().key();
    }

    default String byDefault() {
        return words().byDefault();
    }

    /** What stands before the name in a property, with {@code <name>} for what it belongs to; empty for a global one. */
    String scope();

    default boolean isGlobal() {
        return scope().isEmpty();
    }

    /** What is allowed, as a message says it. */
    default String allowed() {
        return words().allowed().replace("`", "");
    }

    /** The property's name; of a source or an endpoint with its name in it. */
    default String name(Optional<String> owner) {
        return owner.map(it -> scope().replace("<name>", it) + key()).orElse(key());
    }

    /** Its row in the reference table. */
    default String row() {
        String byDefault = byDefault();
        boolean isText = byDefault.contains("`") || (byDefault.contains(" ") && !byDefault.contains("<"));
        return String.format(
                Locale.ROOT,
                "| `%s%s` | %s | %s | %s |",
                scope(),
                key(),
                isText ? byDefault : "`" + byDefault.replace("|", "\\|") + "`",
                words().allowed(),
                words().meaning());
    }
}
