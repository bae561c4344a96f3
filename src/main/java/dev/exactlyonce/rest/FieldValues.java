package dev.exactlyonce.rest;

import java.util.List;
import java.util.Map;

/**
 * The values of header fields without the optional whitespace around them, which is no part of a value: RFC 9110, section
 * 5.5. The server leaves it in. Every reader of a header takes its values from here; field lines stay apart, and commas
 * have no meaning.
 */
public final class FieldValues {
    private FieldValues() {}

    /** The values under this name, one a field line, in order; empty when there is none. */
    static List<String> of(Map<String, List<String>> headers, String name) {
        List<String> values = headers.get(name);
        return values == null ? List.of() : trimmed(values);
    }

    /** The same values, each without the blanks and tabs around it. */
    public static List<String> trimmed(List<String> values) {
        return values.stream().map(FieldValues::trimmed).toList();
    }

    /** The value without the blanks and tabs around it; any other whitespace is part of it. */
    public static String trimmed(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && isOptionalWhitespace(value.charAt(from))) {
            from++;
        }
        while (from < to && isOptionalWhitespace(value.charAt(to - 1))) {
            to--;
        }
        return value.substring(from, to);
    }

    private static boolean isOptionalWhitespace(char c) {
        return c == ' ' || c == '\t';
    }
}
