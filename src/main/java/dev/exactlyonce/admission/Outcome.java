package dev.exactlyonce.admission;

import dev.exactlyonce.spi.RecordedAnswer;

/**
 * How a handler ended, by its own account: never by what was delivered to the client.
 *
 * @param answer the status that the handler's end stands for, and what it answers where that is to be kept
 */
public record Outcome(OutcomeKind kind, RecordedAnswer answer) {
    /** What decides between record and release. */
    public enum OutcomeKind {
        SUCCESS,
        /** The handler refused the delivery with a 4xx. */
        CLIENT_ERROR,
        FAILURE,
        /** The handler did not run after all: released, whatever is recorded. */
        NOT_RUN,
        /** Given up on (cancelled, timed out) while the work may still run: neither recorded nor released. */
        UNFINISHED
    }

    /** An outcome whose answer is not kept. */
    public Outcome(OutcomeKind kind, int status) {
        this(kind, RecordedAnswer.of(status));
    }

    public int status() {
        return answer.status();
    }

    /** The same, with the answer as its replay writes it. */
    public Outcome answered(String content) {
        return new Outcome(kind, new RecordedAnswer(status(), content));
    }

    /** The outcome of a handler that returned this status itself. */
    public static Outcome ofStatus(int status) {
        if (status >= 200 && status < 300) {
            return new Outcome(OutcomeKind.SUCCESS, status);
        }
        return new Outcome(status >= 400 && status < 500 ? OutcomeKind.CLIENT_ERROR : OutcomeKind.FAILURE, status);
    }

    /** The outcome of a handler that threw; a 2xx or less that the exception carries is no success. */
    public static Outcome ofFailure(int status) {
        return status >= 400 && status < 500
                ? new Outcome(OutcomeKind.CLIENT_ERROR, status)
                : new Outcome(OutcomeKind.FAILURE, status < 300 ? 500 : status);
    }

    /** Of a handler that did not do its work, whatever it answered: the delivery is released. */
    public static Outcome notRun() {
        return new Outcome(OutcomeKind.NOT_RUN, 500);
    }

    public static Outcome unfinished() {
        return new Outcome(OutcomeKind.UNFINISHED, 500);
    }
}
