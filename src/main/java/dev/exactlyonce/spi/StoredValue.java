package dev.exactlyonce.spi;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The value that a store keeps under a key: {@code 1|<state>|<owner>|<fingerprint>|<payload>}. The payload of a
 * record is {@code <status>}, or {@code <status>;<answer>} where one is kept; a claim has none.
 *
 * <pre>{@code
 * String text = StoredValue.inFlight(claim).encode();
 * boolean isOwn = StoredValue.decode(text).isOwnedBy(claim);
 * }</pre>
 *
 * @param answer of a record; meaningless for a claim
 * @since 0.1.0
 */
public record StoredValue(KeyState state, String owner, Fingerprint fingerprint, RecordedAnswer answer) {
    /** The state of a key. */
    public enum KeyState {
        IN_FLIGHT("in-flight"),
        RECORDED("recorded"),
        /** Written by an unknown version: treated as a claim of another owner. */
        UNKNOWN("");

        private final String word;

        KeyState(String word) {
            this.word = word;
        }
    }

    private static final String VERSION = "1";
    private static final Pattern RECORD = Pattern.compile("([1-5][0-9]{2})(?:;(.*))?", Pattern.DOTALL);
    private static final RecordedAnswer NONE = RecordedAnswer.of(500);
    private static final StoredValue UNREADABLE = new StoredValue(KeyState.UNKNOWN, "", Fingerprint.NONE, NONE);

    public static StoredValue inFlight(Claim claim) {
        return new StoredValue(KeyState.IN_FLIGHT, claim.owner(), claim.fingerprint(), NONE);
    }

    public static StoredValue recorded(Claim claim, RecordedAnswer answer) {
        return new StoredValue(KeyState.RECORDED, claim.owner(), claim.fingerprint(), answer);
    }

    public boolean isOwnedBy(Claim claim) {
        return state != KeyState.UNKNOWN && owner.equals(claim.owner());
    }

    public boolean isRecorded() {
        return state == KeyState.RECORDED;
    }

    public String encode() {
        return String.join("|", VERSION, state.word, owner, fingerprint.value(), isRecorded() ? payload() : "");
    }

    private String payload() {
        return answer.isTombstone() ? Integer.toString(answer.status()) : answer.status() + ";" + answer.content();
    }

    /** The beginning of every record of the claim, whatever its payload. */
    public static String startOfRecord(Claim claim) {
        return String.join(
                "|",
                VERSION,
                KeyState.RECORDED.word,
                claim.owner(),
                claim.fingerprint().value(),
                "");
    }

    /** Reads a value; one that cannot be read is {@link KeyState#UNKNOWN}, never an exception. */
    public static StoredValue decode(@Nullable String encoded) {
        String[] fields = encoded == null ? new String[0] : encoded.split("\\|", 5);
        if (fields.length != 5 || !fields[0].equals(VERSION) || fields[2].isEmpty()) {
            return UNREADABLE;
        }
        Fingerprint fingerprint = new Fingerprint(fields[3]);
        if (fields[1].equals(KeyState.IN_FLIGHT.word)) {
            return new StoredValue(KeyState.IN_FLIGHT, fields[2], fingerprint, NONE);
        }
        Matcher record = RECORD.matcher(fields[4]);
        if (!fields[1].equals(KeyState.RECORDED.word) || !record.matches()) {
            return UNREADABLE;
        }
        RecordedAnswer answer = RecordedAnswer.read(Integer.parseInt(record.group(1)), record.group(2));
        return new StoredValue(KeyState.RECORDED, fields[2], fingerprint, answer);
    }
}
