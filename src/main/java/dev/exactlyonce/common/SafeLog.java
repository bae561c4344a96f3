package dev.exactlyonce.common;

import java.lang.System.Logger.Level;

/** Logs faults where nothing more may be thrown: a full heap or a broken log handler must not end the caller as well. */
public final class SafeLog {
    private SafeLog() {}

    public static void log(System.Logger log, Level level, String message, Throwable fault) {
        try {
            log.log(level, message, fault);
        } catch (Throwable unlogged) { // there is no other place to report it
        }
    }
}
