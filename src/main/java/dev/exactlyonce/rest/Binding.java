package dev.exactlyonce.rest;

import dev.exactlyonce.Mode;
import dev.exactlyonce.source.KeyExpressions;
import dev.exactlyonce.source.SessionExpressions;
import java.util.Optional;
import java.util.Set;

/**
 * One resource method's binding, resolved at deployment.
 *
 * @param source a source's name, or a path parameter in braces
 * @param keys the annotation's own key expressions; empty takes the source's
 * @param session where the session is of which one delivery runs at a time
 * @param httpMethod POST, PUT, PATCH, DELETE or a method of the application's own
 * @param paths where its requests arrive
 * @param mode the annotation's own mode; {@link Mode#SOURCE} takes the source's
 */
public record Binding(
        String source,
        Optional<KeyExpressions> keys,
        Optional<SessionExpressions> session,
        String httpMethod,
        Paths paths,
        Mode mode) {
    /** Without a session, in the source's mode. */
    public Binding(String source, Optional<KeyExpressions> keys, String httpMethod, Paths paths) {
        this(source, keys, Optional.empty(), httpMethod, paths, Mode.SOURCE);
    }

    /**
     * The {@code @Path} templates of a method, without regular expressions; each with a leading slash, or empty.
     *
     * @param template of its class, as a root resource, and the method
     * @param ofMethod of the method alone: what follows the locators of a sub-resource
     * @param addresses of every way to it that is known at deployment, through locators or none
     * @param shared those of them that another way has, too, with other regular expressions
     */
    public record Paths(String template, String ofMethod, Set<String> addresses, Set<String> shared) {
        public Paths {
            addresses = Set.copyOf(addresses);
            shared = Set.copyOf(shared);
        }
    }

    /** Its template as a method of a root resource. */
    public String template() {
        return paths.template();
    }

    /** The path parameter that names the source, if one does. */
    public Optional<String> sourceParameter() {
        return source.startsWith("{") && source.endsWith("}")
                ? Optional.of(source.substring(1, source.length() - 1))
                : Optional.empty();
    }

    /**
     * What the key is scoped by: {@code POST/base/path/{id}}.
     *
     * @param matched the templates that the request has matched, from the root class on
     */
    String endpoint(String basePath, String matched) {
        int end = basePath.length();
        while (end > 0 && basePath.charAt(end - 1) == '/') {
            end--;
        }
        return httpMethod + basePath.substring(0, end) + matched;
    }
}
