package dev.exactlyonce.sqlite;

/** What another program did to an open file, so that what was committed to it may be gone. */
public enum FileLoss {
    /** The file, its log or the log's index has gone, or another file has its name. */
    REMOVED("removed or replaced"),
    /** It is shorter than it was. */
    TRUNCATED("truncated"),
    /** Its content is not what this process wrote. */
    OVERWRITTEN("overwritten");

    private final String word;

    FileLoss(String word) {
        this.word = word;
    }

    /** As it stands in a sentence: the file was … */
    public String word() {
        return word;
    }
}
