package dev.exactlyonce.admission;

import org.jspecify.annotations.Nullable;

/**
 * The value that every store keeps under a key: {@code 1|<state>|<owner>|<fingerprint>|<payload>}. The payload of a
 * record is the handler's status; a claim has none.
 */
public record StoredValue(State state, String owner, Fingerprint fingerprint, int status) {
    /** What a value stands for. */
    public enum State {
        IN_FLIGHT("in-flight"),
        RECORDED("recorded"),
        /** Written by a version that this one does not know: treated as somebody's claim. */
        UNKNOWN("");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    private static final String VERSION = "1";
    private static final StoredValue UNREADABLE = new StoredValue(State.UNKNOWN, "", Fingerprint.NONE, 0);

    public static StoredValue inFlight(Claim claim) {
        return new StoredValue(State.IN_FLIGHT, claim.owner(), claim.fingerprint(), 0);
    }

    public static StoredValue recorded(Claim claim, int status) {
        return new StoredValue(State.RECORDED, claim.owner(), claim.fingerprint(), status);
    }

    public boolean isOwnedBy(Claim claim) {
        return state != State.UNKNOWN && owner.equals(claim.owner());
    }

    public boolean isRecorded() {
        return state == State.RECORDED;
    }

    public String encode() {
        String payload = isRecorded() ? Integer.toString(status) : "";
        return String.join("|", VERSION, state.word, owner, fingerprint.value(), payload);
    }

    /** Reads a value; one that cannot be read is {@link State#UNKNOWN}, never an exception. */
    public static StoredValue decode(@Nullable String encoded) {
        String[] fields = encoded == null ? new String[0] : encoded.split("\\|", 5);
        if (fields.length != 5 || !fields[0].equals(VERSION) || fields[2].isEmpty()) {
            return UNREADABLE;
        }
        Fingerprint fingerprint = new Fingerprint(fields[3]);
        if (fields[1].equals(State.IN_FLIGHT.word)) {
            return new StoredValue(State.IN_FLIGHT, fields[2], fingerprint, 0);
        }
        if (fields[1].equals(State.RECORDED.word) && fields[4].matches("[1-5][0-9]{2}")) {
            return new StoredValue(State.RECORDED, fields[2], fingerprint, Integer.parseInt(fields[4]));
        }
        return UNREADABLE;
    }
}
