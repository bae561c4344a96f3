package dev.exactlyonce.rest;

import dev.exactlyonce.source.KeyExpressions;
import java.util.Optional;

/**
 * One resource method's binding, resolved at deployment.
 *
 * @param source a source's name, or a path parameter in braces
 * @param keys the annotation's own key expressions; empty takes the source's
 * @param httpMethod POST, PUT, PATCH, DELETE or a method of the application's own
 * @param template the {@code @Path} templates of class and method without regular expressions, with a leading slash
 */
public record Binding(String source, Optional<KeyExpressions> keys, String httpMethod, String template) {
    /** The path parameter that names the source, if one does. */
    public Optional<String> sourceParameter() {
        return source.startsWith("{") && source.endsWith("}")
                ? Optional.of(source.substring(1, source.length() - 1))
                : Optional.empty();
    }

    /** What the key is scoped by: {@code POST/base/path/{id}}. */
    String endpoint(String basePath) {
        int end = basePath.length();
        while (end > 0 && basePath.charAt(end - 1) == '/') {
            end--;
        }
        return httpMethod + basePath.substring(0, end) + template;
    }
}
