package dev.exactlyonce.admission;

/**
 * The response to a request that is not to be admitted: a handshake, or an event that the source does not take.
 *
 * @param why in a word, for the log
 * @param mediaType of the text
 */
public record Reply(String why, int status, String mediaType, String text) {
    /** The answer to an event that the source does not take. */
    public static final Reply SKIPPED = new Reply("skipped", 200, "application/json", "{\"status\":\"skipped\"}");
}
