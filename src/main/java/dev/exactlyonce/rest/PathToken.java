package dev.exactlyonce.rest;

import java.util.ArrayList;
import java.util.List;

/**
 * A piece of a {@code @Path} template.
 *
 * @param text a parameter's name, or the literal text
 * @param regex a parameter's regular expression; empty for the default and for a literal
 */
record PathToken(boolean isParameter, String text, String regex) {
    /** Braces nest inside a regular expression: <code>{id: [0-9]{3}}</code>. */
    static List<PathToken> parse(String path) {
        List<PathToken> tokens = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int depth = 0;
        int open = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '{' && depth++ == 0) {
                open = i + 1;
            } else if (c == '}' && depth > 0 && --depth == 0) {
                addLiteral(literal, tokens);
                tokens.add(parameter(path.substring(open, i).split(":", 2)));
            } else if (depth == 0) {
                literal.append(c);
            }
        }
        addLiteral(literal, tokens);
        return tokens;
    }

    private static void addLiteral(StringBuilder literal, List<PathToken> tokens) {
        if (literal.length() > 0) {
            tokens.add(new PathToken(false, literal.toString(), ""));
            literal.setLength(0);
        }
    }

    private static PathToken parameter(String[] nameAndRegex) {
        return new PathToken(true, nameAndRegex[0].strip(), nameAndRegex.length > 1 ? nameAndRegex[1].strip() : "");
    }

    /** As it stands in a template without regular expressions. */
    String bare() {
        return isParameter ? "{" + text + "}" : text;
    }
}
