package dev.exactlyonce.signature;

import java.util.List;

/** A key that tells whether a content was signed with it. Thread-safe; never shows what it is made of. */
interface VerifyingKey {
    /** Signs nothing: what a secret for another algorithm is made into. */
    VerifyingKey NONE = (content, signatures) -> false;

    /**
     * @param content what was signed, in pieces that follow each other
     * @param signatures as decoded; some may be none of this key's kind
     * @return whether any of them is this key's
     */
    boolean signedAny(List<byte[]> content, List<byte[]> signatures);
}
