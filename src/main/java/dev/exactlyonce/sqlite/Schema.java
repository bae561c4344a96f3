package dev.exactlyonce.sqlite;

import java.util.List;

/**
 * The layout of a file. Every file has one, and every package has its own file.
 *
 * @param version {@code PRAGMA user_version}, 1 or more; a file of a later one is not opened
 * @param statements bring a file of any earlier version, or a new one, to this version; run in one transaction
 */
public record Schema(int version, List<String> statements) {
    public Schema {
        if (version < 1) {
            throw new IllegalArgumentException("version must be > 0, was " + version);
        }
        statements = List.copyOf(statements);
    }
}
