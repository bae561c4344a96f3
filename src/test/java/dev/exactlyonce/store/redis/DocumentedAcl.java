package dev.exactlyonce.store.redis;

import dev.exactlyonce.redis.RedisSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The users of doc/redis.md, with no command more. */
public final class DocumentedAcl {
    private static final String PASSWORD = "a-long-password";
    private static final Pattern USER = Pattern.compile("^ACL SETUSER shop (.*)$", Pattern.MULTILINE);
    private static final Pattern CASE = Pattern.compile("^\\| (\\S.*?) \\| `([+-][^`]*)` \\|", Pattern.MULTILINE);

    private DocumentedAcl() {}

    /**
     * A line of redis.conf, so that the user outlives a restart.
     *
     * @param cases rows of its table
     */
    public static String line(String... cases) {
        return "user shop "
                + Stream.concat(
                                Stream.of(first(USER).group(1)),
                                Stream.of(cases).map(DocumentedAcl::rules))
                        .collect(Collectors.joining(" "));
    }

    private static String rules(String described) {
        return CASE.matcher(page())
                .results()
                .filter(it -> it.group(1).equals(described))
                .map(it -> it.group(2))
                .findFirst()
                .orElseThrow();
    }

    private static MatchResult first(Pattern pattern) {
        return pattern.matcher(page()).results().findFirst().orElseThrow();
    }

    private static String page() {
        try {
            return Files.readString(Path.of("doc/redis.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same as that user. */
    public static RedisSettings settings(RedisSettings plain) {
        RedisSettings.Server there = plain.server();
        RedisSettings.Server shop = new RedisSettings.Server(
                there.tls(), there.host(), there.port(), there.database(), Optional.of("shop"), Optional.of(PASSWORD));
        return new RedisSettings(
                shop, plain.file(), plain.prefix(), plain.timeout(), plain.waitReplicas(), plain.sharedWith());
    }

    /** What Redis refused to anybody since its start: an object each. */
    public static List<String> refused(RedisProcess redis) {
        List<String> lines = redis.command("ACL", "LOG", "1000").lines().toList();
        return Stream.iterate(0, i -> i < lines.size() - 1, i -> i + 1)
                .filter(i -> lines.get(i).equals("object"))
                .map(i -> lines.get(i + 1))
                .toList();
    }
}
