package dev.exactlyonce.signature;

import dev.exactlyonce.admission.Verification;
import java.lang.System.Logger.Level;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The keys that may have signed: of the current secret, the previous one, and those of a file. Made anew when the secrets
 * change; secrets that no key can be made of leave the keys as they were. Thread-safe.
 */
final class KeyRing {
    private static final System.Logger LOG = System.getLogger(KeyRing.class.getName());

    private record Made(List<String> secrets, List<VerifyingKey> keys) {}

    private final String source;
    private final Supplier<List<String>> secrets;
    private final Function<String, VerifyingKey> maker;
    private volatile Made made;

    /**
     * @param source the source's name, for the log
     * @param secrets the same list as long as nothing has changed
     * @param maker throws an IllegalArgumentException that says what is wrong with a secret, without a word of it
     * @throws IllegalArgumentException the maker's
     */
    KeyRing(String source, Supplier<List<String>> secrets, Function<String, VerifyingKey> maker) {
        this.source = source;
        this.secrets = secrets;
        this.maker = maker;
        this.made = make(secrets.get());
    }

    private Made make(List<String> now) {
        return new Made(now, now.stream().map(maker).toList());
    }

    List<VerifyingKey> keys() {
        List<String> now = secrets.get();
        Made current = made; // once: another thread may replace it
        if (current.secrets() != now) {
            current = madeAnew(now, current);
            made = current;
        }
        return current.keys();
    }

    /** What the first key gives that made any of the signatures: {@link VerifyingKey#match}. */
    Optional<byte[]> match(List<byte[]> content, List<byte[]> signatures) {
        return keys().stream()
                .flatMap(it -> it.match(content, signatures).stream())
                .findFirst();
    }

    /** The delivery is valid, and identified by that signature, when any of the keys made any of the signatures. */
    Verification verify(List<byte[]> content, List<byte[]> signatures) {
        return match(content, signatures)
                .map(it -> Verification.signed(HexFormat.of().formatHex(it)))
                .orElse(HeaderSignature.WRONG);
    }

    private Made madeAnew(List<String> now, Made before) {
        try {
            Made anew = make(now);
            LOG.log(Level.INFO, "EXON0403 {0}: the secret file has changed, and is used from now on", source);
            return anew;
        } catch (IllegalArgumentException fault) {
            LOG.log(
                    Level.ERROR,
                    "EXON0404 {0}: the secret file has changed and cannot be used, the secrets before it stay: {1}",
                    source,
                    fault.getMessage());
            return new Made(now, before.keys());
        }
    }
}
