package dev.exactlyonce.rest;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A {@code @Path} template as JAX-RS matches it against a part of a request's path. In the order of Jakarta RESTful Web
 * Services 3.1, section 3.7.2: of two that match, the first counts.
 *
 * @param literals how many literal characters it has
 * @param parameters how many parameters
 * @param regexes how many of them have a regular expression of their own
 */
record PathPattern(Pattern pattern, int literals, int parameters, int regexes) {
    static final Comparator<PathPattern> PRECEDENCE = Comparator.comparingInt(PathPattern::literals)
            .thenComparingInt(PathPattern::parameters)
            .thenComparingInt(PathPattern::regexes)
            .reversed();

    static PathPattern of(String path) {
        List<PathToken> tokens = PathToken.parse(PathTemplate.withoutOuterSlashes(path));
        StringBuilder regex = new StringBuilder();
        int literals = 0;
        int parameters = 0;
        int regexes = 0;
        for (PathToken token : tokens) {
            if (!token.isParameter()) {
                regex.append(Pattern.quote(token.text()));
                literals += token.text().length();
                continue;
            }
            parameters++;
            if (token.regex().isEmpty()) {
                regex.append("[^/]+");
            } else {
                regexes++;
                regex.append('(').append(token.regex()).append(')');
            }
        }
        return new PathPattern(Pattern.compile(regex.toString()), literals, parameters, regexes);
    }

    /** @param part as it was sent, percent-encoded, without outer slashes */
    boolean matches(String part) {
        return pattern.matcher(part).matches() || pattern.matcher(decoded(part)).matches();
    }

    private static String decoded(String part) {
        return part.contains("%") ? URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8) : part;
    }
}
