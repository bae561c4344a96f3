package dev.exactlyonce.admission;

/**
 * What a sender is told in place of an admission: it asked something that is no event, or sent one that nobody wants.
 *
 * @param why in a word, for the log
 * @param mediaType of the text
 */
public record Reply(String why, int status, String mediaType, String text) {
    /** The answer to an event that the source does not take. */
    public static final Reply SKIPPED = new Reply("skipped", 200, "application/json", "{\"status\":\"skipped\"}");
}
