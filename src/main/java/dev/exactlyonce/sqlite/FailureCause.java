package dev.exactlyonce.sqlite;

import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;

/** Why the file could not be used and what to do about it, as an operator needs it: without path, key or payload. */
final class FailureCause {
    private static final int PRIMARY_CODE = 0xff;
    private static final int DEEPEST = 10;

    private FailureCause() {}

    static String of(@Nullable Throwable failure) {
        Throwable it = failure;
        for (int i = 0; it != null && i < DEEPEST; i++, it = it.getCause()) {
            if (it instanceof SQLException sql && sql.getErrorCode() != 0) {
                return ofCode(sql.getErrorCode());
            }
            if (it instanceof LinkageError || isAboutTheLibrary(it)) {
                return "SQLite's native library could not be loaded; the temporary folder must be writable and allow"
                        + " execution (not mounted noexec), or set -Dorg.sqlite.tmpdir to a folder that is";
            }
            if (it instanceof VirtualMachineError) {
                return "the Java virtual machine reported " + it.getClass().getSimpleName();
            }
            if (it instanceof NewerFileException) {
                return "it was written by a newer version of this library; deploy that version, or choose another file";
            }
        }
        return failure == null ? "no answer in time" : "the cause is logged with it";
    }

    /** The driver throws a plain exception with such a text, without a code. */
    private static boolean isAboutTheLibrary(Throwable it) {
        String message = it.getMessage();
        return message != null && message.toLowerCase(Locale.ROOT).contains("native library");
    }

    /** See https://www.sqlite.org/rescode.html. */
    private static String ofCode(int code) {
        SQLiteErrorCode primary = SQLiteErrorCode.getErrorCode(code & PRIMARY_CODE);
        return switch (primary) {
            case SQLITE_NOTADB ->
                "it is not an SQLite database; move it away, or set exactlyonce.sqlite.path to another file";
            case SQLITE_CORRUPT ->
                "it is damaged; stop the application, restore the file or move it away, with its -wal and -shm files";
            case SQLITE_FULL -> "the disk is full; free space where the file is";
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH ->
                "it cannot be written; check the permissions of the file and its folder, and a read-only mount";
            case SQLITE_CANTOPEN ->
                "it cannot be opened; check that its folder exists and that the server may write there";
            case SQLITE_BUSY, SQLITE_LOCKED ->
                "another process has locked it; end that process, or give each application a file of its own";
            case SQLITE_IOERR -> "the disk reported an input or output error; check the disk and its file system";
            case SQLITE_NOMEM -> "there was not enough memory";
            default -> "SQLite reported " + primary.name();
        };
    }
}
