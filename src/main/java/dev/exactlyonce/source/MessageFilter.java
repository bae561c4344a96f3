package dev.exactlyonce.source;

import dev.exactlyonce.admission.KeyResolver.Resolution;
import java.util.Optional;

/** Looks at a verified message before anybody looks for its key. */
@FunctionalInterface
interface MessageFilter {
    /** What becomes of it, when it is no delivery to be admitted; nothing lets it pass. */
    Optional<Resolution> look(Message message);
}
