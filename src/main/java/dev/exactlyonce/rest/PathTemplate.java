package dev.exactlyonce.rest;

import java.util.ArrayList;
import java.util.List;

/**
 * A {@code @Path} template without its regular expressions.
 *
 * @param text with one leading slash and none at the end; empty for nothing
 * @param parameters the names in braces, in order; one that stands there twice is here twice
 */
public record PathTemplate(String text, List<String> parameters) {
    public static PathTemplate of(String... paths) {
        StringBuilder text = new StringBuilder();
        List<String> parameters = new ArrayList<>();
        for (String path : paths) {
            StringBuilder bare = new StringBuilder();
            for (PathToken token : PathToken.parse(path)) {
                bare.append(token.bare());
                if (token.isParameter()) {
                    parameters.add(token.text());
                }
            }
            String trimmed = withoutOuterSlashes(bare.toString());
            if (!trimmed.isEmpty()) {
                text.append('/').append(trimmed);
            }
        }
        return new PathTemplate(text.toString(), List.copyOf(parameters));
    }

    /** This template, followed by another. */
    public PathTemplate then(PathTemplate next) {
        List<String> all = new ArrayList<>(parameters);
        all.addAll(next.parameters);
        return new PathTemplate(text + next.text, List.copyOf(all));
    }

    static String withoutOuterSlashes(String path) {
        return path.replaceAll("^/+|/+$", "");
    }
}
