package dev.exactlyonce.config;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.redis.RedisSettings.Server;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads where Redis is (a URL, or its pieces, or Redisson's own file) and how it is used. What says where it is may hold
 * a secret, meant or by a slip, and is never shown.
 */
final class RedisSettingsReader {
    static final String CLIENT = "org.redisson:redisson:4.7.0";

    /** A hash tag in it would put all keys into one slot of a Cluster. */
    private static final Pattern PREFIX = Pattern.compile("[!-~&&[^{}]]{1,100}");

    private static final Pattern ENCODED =
            Pattern.compile("\\{(xor|aes|hash)}.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final ConfigReader values;
    private final RedisClientCheck client;

    RedisSettingsReader(ConfigReader values, RedisClientCheck client) {
        this.values = values;
        this.client = client;
    }

    /**
     * Reads them for whichever store: a typo must not sleep until somebody switches. What depends on this machine, the
     * file and the client, counts only where Redis is chosen.
     */
    RedisSettings read(boolean chosen) {
        Optional<Path> file = optional(Setting.REDIS_CONFIG_FILE, text -> file(text, chosen));
        RedisSettings settings = new RedisSettings(
                server(file.isPresent()),
                file,
                values.read(Setting.REDIS_PREFIX, RedisSettings.DEFAULT_PREFIX, text -> {
                    if (!PREFIX.matcher(text).matches()) {
                        throw ConfigReader.notAllowed(text, Setting.REDIS_PREFIX.allowed());
                    }
                    return text;
                }),
                values.duration(
                        Setting.REDIS_TIMEOUT,
                        RedisSettings.DEFAULT_TIMEOUT,
                        RedisSettings.LEAST_TIMEOUT,
                        RedisSettings.MOST_TIMEOUT),
                values.integer(Setting.REDIS_WAIT_REPLICAS, 0, RedisSettings.MOST_REPLICAS),
                values.read(Setting.REDIS_SHARED_WITH, List.of(), RedisSettingsReader::names));
        if (chosen) {
            checkClient(settings);
        }
        return settings;
    }

    private static List<String> names(String text) {
        List<String> names =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        if (names.contains("")) {
            throw ConfigReader.notAllowed(text, Setting.REDIS_SHARED_WITH.allowed());
        }
        return names;
    }

    private void checkClient(RedisSettings settings) {
        if (!client.isThere()) {
            problem(Setting.STORE, "'redis' needs Redisson in the application; add the dependency " + CLIENT);
            return;
        }
        client.faultOf(settings)
                .ifPresent(it -> problem(settings.file().isPresent() ? Setting.REDIS_CONFIG_FILE : Setting.STORE, it));
    }

    private static Path file(String text, boolean chosen) {
        String fault;
        try {
            Path file = Path.of(text).toAbsolutePath();
            if (!chosen || (Files.isRegularFile(file) && Files.isReadable(file))) {
                return file;
            }
            fault = Files.isDirectory(file)
                    ? "names a folder, a file is needed"
                    : Files.exists(file) ? "cannot be read by this server" : "does not exist";
        } catch (InvalidPathException e) {
            fault = "is no path of this system";
        }
        throw new IllegalArgumentException(fault + "; allowed: " + Setting.REDIS_CONFIG_FILE.allowed());
    }

    /** @param unused whether a file says where Redis is: then these do not contradict each other */
    private Server server(boolean unused) {
        int problems = values.problems().size();
        Optional<RedisUrl> url = optional(Setting.REDIS_URL, RedisSettingsReader::url);
        Optional<String> host = optional(Setting.REDIS_HOST, hidden(Setting.REDIS_HOST, RedisUrl::hostOf));
        Optional<Integer> port = optional(Setting.REDIS_PORT, hidden(Setting.REDIS_PORT, RedisUrl::portOf));
        Optional<Integer> database =
                optional(Setting.REDIS_DATABASE, hidden(Setting.REDIS_DATABASE, RedisUrl::databaseOf));
        Optional<String> username = optional(Setting.REDIS_USERNAME, text -> text);
        Optional<String> password = optional(Setting.REDIS_PASSWORD, text -> notEncoded("is", text));
        if (!unused) {
            refuseTwice(Setting.REDIS_HOST, host, url);
            refuseTwice(Setting.REDIS_PORT, port, url);
            refuseTwice(Setting.REDIS_DATABASE, database, url.flatMap(RedisUrl::database));
            refuseTwice(Setting.REDIS_USERNAME, username, url.flatMap(RedisUrl::username));
            refuseTwice(Setting.REDIS_PASSWORD, password, url.flatMap(RedisUrl::password));
        }
        Server server = new Server(
                url.map(RedisUrl::tls).orElse(Server.DEFAULT.tls()),
                url.map(RedisUrl::host).or(() -> host).orElse(Server.DEFAULT.host()),
                url.flatMap(RedisUrl::port).or(() -> port).orElse(Server.DEFAULT.port()),
                url.flatMap(RedisUrl::database).or(() -> database).orElse(Server.DEFAULT.database()),
                url.flatMap(RedisUrl::username).or(() -> username),
                url.flatMap(RedisUrl::password).or(() -> password));
        boolean sound = values.problems().size() == problems;
        if (!unused
                && sound
                && server.username().isPresent()
                && server.password().isEmpty()) {
            // Redisson would say nothing of the user and enter as the default one
            problem(
                    username.isPresent() ? Setting.REDIS_USERNAME : Setting.REDIS_URL,
                    "a user needs a password; a password alone is redis://:password@host");
        }
        return server;
    }

    private static RedisUrl url(String text) {
        RedisUrl url = RedisUrl.parse(notEncoded("is", text));
        url.password().ifPresent(it -> notEncoded("its password is", it));
        return url;
    }

    /** The server decodes its own passwords, but hands ours on as they are written. */
    private static String notEncoded(String what, String text) {
        if (ENCODED.matcher(text).matches()) {
            throw new IllegalArgumentException(what
                    + " encoded ({xor}, {aes}), and nothing decodes it here; put the password as it is into the file"
                    + " ${server.config.dir}/variables/" + name(Setting.REDIS_PASSWORD));
        }
        return text;
    }

    private void refuseTwice(Setting setting, Optional<?> piece, Optional<?> ofTheUrl) {
        if (piece.isPresent() && ofTheUrl.isPresent()) {
            problem(setting, "belongs to " + name(Setting.REDIS_URL) + ", which is set, too; remove one of the two");
        }
    }

    private static <T> Function<String, T> hidden(Setting setting, Function<String, Optional<T>> parser) {
        return text -> parser.apply(text)
                .orElseThrow(
                        () -> new IllegalArgumentException("the value is not allowed; allowed: " + setting.allowed()));
    }

    private <T> Optional<T> optional(Setting setting, Function<String, T> parser) {
        return values.read(setting, Optional.empty(), parser.andThen(Optional::of));
    }

    private void problem(Setting setting, String fault) {
        values.problem(name(setting), fault);
    }

    private static String name(Setting setting) {
        return setting.name(Optional.empty());
    }
}
