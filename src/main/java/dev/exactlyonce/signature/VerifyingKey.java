package dev.exactlyonce.signature;

import java.util.List;
import java.util.Optional;

/** A key that checks whether a content was signed with it. Thread-safe; never shows what it is made of. */
interface VerifyingKey {
    /** Signs nothing: what a secret for another algorithm is made into. */
    VerifyingKey NONE = (content, signatures) -> Optional.empty();

    /**
     * Finds whether any of the signatures is this key's.
     *
     * @param content what was signed, in pieces that follow each other
     * @param signatures as decoded; some may be none of this key's kind
     * @return the signature as one canonical text: the same for the same content, however it is encoded
     */
    Optional<byte[]> match(List<byte[]> content, List<byte[]> signatures);
}
