package dev.exactlyonce.deploy;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A {@code @Path} template without its regular expressions.
 *
 * @param text with one leading slash and none at the end; empty for nothing
 * @param parameters the names in braces, in order
 */
record PathTemplate(String text, Set<String> parameters) {
    static PathTemplate of(String... paths) {
        StringBuilder text = new StringBuilder();
        Set<String> parameters = new LinkedHashSet<>();
        for (String path : paths) {
            String bare = withoutRegexes(path, parameters);
            String trimmed = bare.replaceAll("^/+|/+$", "");
            if (!trimmed.isEmpty()) {
                text.append('/').append(trimmed);
            }
        }
        return new PathTemplate(text.toString(), parameters);
    }

    /** Braces nest inside a regular expression: <code>{id: [0-9]{3}}</code>. */
    private static String withoutRegexes(String path, Set<String> parameters) {
        StringBuilder bare = new StringBuilder();
        int depth = 0;
        int open = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '{' && depth++ == 0) {
                open = i + 1;
            } else if (c == '}' && depth > 0 && --depth == 0) {
                String name = path.substring(open, i).split(":", 2)[0].strip();
                parameters.add(name);
                bare.append('{').append(name).append('}');
            } else if (depth == 0) {
                bare.append(c);
            }
        }
        return bare.toString();
    }
}
