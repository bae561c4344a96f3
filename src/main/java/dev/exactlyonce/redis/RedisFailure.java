package dev.exactlyonce.redis;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.redisson.RedissonShutdownException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisOutOfMemoryException;
import org.redisson.client.RedisTimeoutException;

/**
 * Names the kind of a failure of Redis. The client's own exceptions contain hosts, ports and keys, so neither their text nor
 * they themselves are passed on.
 */
public final class RedisFailure {
    public static final String CLOSED = "the Redis store is closed";
    public static final String LATE = "Redis did not answer in time";
    private static final String UNREACHABLE = "Redis cannot be reached";

    /** What Redis's errors begin with. One from inside a script follows a dash, or the script's line. */
    private static final Pattern WORD = Pattern.compile("^([A-Z]{2,20}) ");

    private static final Pattern WORD_IN_SCRIPT = Pattern.compile("(?:-|user_script: ?\\d+: )([A-Z]{2,20}) ");

    /** What follows is the client's own text, which may contain any key. */
    private static final String NO_PERMISSIONS = "^NOPERM (?:this user|User \\S+) has no permissions ";

    private static final Pattern COMMAND = Pattern.compile(NO_PERMISSIONS + "to run the '([A-Za-z|_-]{1,40})' command");
    private static final Pattern KEY = Pattern.compile(NO_PERMISSIONS + "to access ");

    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("READONLY", "Redis refuses writes (READONLY)"),
            Map.entry("OOM", "Redis is out of memory (maxmemory)"),
            Map.entry("MISCONF", "Redis cannot save to its disk and refuses writes (MISCONF)"),
            Map.entry("WRONGPASS", "Redis refuses the login (WRONGPASS)"),
            Map.entry("NOAUTH", "Redis asks for a login (NOAUTH)"),
            Map.entry("LOADING", "Redis is loading its data (LOADING)"),
            Map.entry("BUSY", "Redis is busy with a script (BUSY)"),
            Map.entry("CLUSTERDOWN", "the Redis Cluster is down (CLUSTERDOWN)"),
            Map.entry("MASTERDOWN", "Redis has lost its master (MASTERDOWN)"),
            Map.entry("NOREPLICAS", "Redis has too few replicas (NOREPLICAS)"),
            Map.entry("MOVED", "the Redis Cluster is being rearranged (MOVED)"),
            Map.entry("ASK", "the Redis Cluster is being rearranged (ASK)"),
            Map.entry("WRONGTYPE", "a key of Redis holds what is not ours (WRONGTYPE)"));

    private RedisFailure() {}

    /** The outermost cause shows where it happened, the innermost what it was. Null when it is not a failure of Redis. */
    public static @Nullable String of(Throwable failure) {
        String kind = null;
        for (Throwable it = failure; it != null; it = it.getCause()) {
            if (it instanceof RedisUnavailableException) {
                return it.getMessage();
            }
            String word = word(it);
            if (word != null) {
                return word.equals("NOPERM")
                        ? notPermitted(String.valueOf(it.getMessage()))
                        : KINDS.getOrDefault(word, "Redis failed: " + word);
            }
            kind = kindOfClass(it, kind);
        }
        return kind;
    }

    /** Redis names the user, and the command or the key; the command alone is passed on. */
    private static String notPermitted(String text) {
        Matcher command = COMMAND.matcher(text);
        if (command.find()) {
            return "Redis does not permit " + command.group(1).toUpperCase(Locale.ROOT) + " (NOPERM)";
        }
        return KEY.matcher(text).find()
                ? "Redis does not permit a key (NOPERM)"
                : "Redis does not permit the command or the key (NOPERM)";
    }

    private static @Nullable String kindOfClass(Throwable failure, @Nullable String outer) {
        if (failure instanceof SSLException) {
            return UNREACHABLE + ": TLS failed";
        }
        if (failure instanceof RedisTimeoutException || failure instanceof TimeoutException) {
            return LATE;
        }
        if (failure instanceof RedissonShutdownException || failure instanceof RejectedExecutionException) {
            return CLOSED;
        }
        boolean ofTheClient = failure instanceof RedisException || failure instanceof IOException;
        return outer == null && ofTheClient ? UNREACHABLE : outer;
    }

    /** The word that Redis's own error begins with; null when it is none of Redis's. */
    public static @Nullable String word(Throwable failure) {
        if (failure instanceof RedisOutOfMemoryException) {
            return "OOM"; // its text has lost the word
        }
        if (!(failure instanceof RedisException) || failure.getMessage() == null) {
            return null;
        }
        Matcher outside = WORD.matcher(failure.getMessage());
        if (!outside.find()) {
            return null;
        }
        if (outside.group(1).equals("ERR")) {
            Matcher inside = WORD_IN_SCRIPT.matcher(failure.getMessage());
            return inside.find() ? inside.group(1) : loginOr(failure.getMessage());
        }
        return outside.group(1);
    }

    /** A password for a server that has none is an ordinary error to Redis. */
    private static String loginOr(String text) {
        return text.startsWith("ERR AUTH") || text.startsWith("ERR invalid password") ? "WRONGPASS" : "ERR";
    }
}
