package dev.exactlyonce.sender.wire;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks that a text is one JSON value (RFC 8259). Reads it once, and builds nothing. Not thread-safe. */
public final class JsonText {
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");
    private static final Pattern UNICODE_ESCAPE = Pattern.compile("[0-9a-fA-F]{4}");

    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /**
     * Returns the text.
     *
     * @throws IllegalArgumentException when it is not one JSON value, cannot be encoded as UTF-8, or is nested deeper than
     *     500; shows the position alone
     */
    public static String checked(String text) {
        JsonText json = new JsonText(text);
        json.value(0);
        json.skipBlanks();
        if (json.at < text.length()) {
            throw json.malformed();
        }
        return text;
    }

    private void value(int depth) {
        if (depth > JsonWriter.DEEPEST) {
            throw new IllegalArgumentException("the body is nested deeper than " + JsonWriter.DEEPEST);
        }
        skipBlanks();
        switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> match(NUMBER);
        }
    }

    private void object(int depth) {
        at++;
        if (isNext('}')) {
            return;
        }
        do {
            skipBlanks();
            string();
            require(isNext(':'));
            value(depth + 1);
        } while (isNext(','));
        require(isNext('}'));
    }

    private void array(int depth) {
        at++;
        if (isNext(']')) {
            return;
        }
        do {
            value(depth + 1);
        } while (isNext(','));
        require(isNext(']'));
    }

    private void string() {
        require(peek() == '"');
        at++;
        while (peek() != '"') {
            char it = peek();
            require(it >= ' ');
            at++;
            if (it == '\\') {
                escape();
            } else if (Character.isSurrogate(it)) {
                require(Character.isHighSurrogate(it) && Character.isLowSurrogate(peek()));
                at++;
            }
        }
        at++;
    }

    private void escape() {
        char it = peek();
        require("\"\\/bfnrtu".indexOf(it) >= 0);
        at++;
        if (it == 'u') {
            match(UNICODE_ESCAPE);
        }
    }

    private void literal(String word) {
        require(text.startsWith(word, at));
        at += word.length();
    }

    private void match(Pattern pattern) {
        Matcher found = pattern.matcher(text).region(at, text.length());
        require(found.lookingAt());
        at = found.end();
    }

    /** Skips blanks, and the character if it is next. */
    private boolean isNext(char it) {
        skipBlanks();
        boolean is = at < text.length() && text.charAt(at) == it;
        at += is ? 1 : 0;
        return is;
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        require(at < text.length());
        return text.charAt(at);
    }

    private void require(boolean isSo) {
        if (!isSo) {
            throw malformed();
        }
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("the body is not one JSON value: see character " + (at + 1));
    }
}
