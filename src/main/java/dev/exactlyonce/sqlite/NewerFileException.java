package dev.exactlyonce.sqlite;

import java.sql.SQLException;

/** The file has a layout that this version does not know. */
final class NewerFileException extends SQLException {
    private static final long serialVersionUID = 1L;

    NewerFileException() {
        super("the file was written by a newer version of this library");
    }
}
