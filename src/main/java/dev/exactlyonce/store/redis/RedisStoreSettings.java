package dev.exactlyonce.store.redis;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.redis.RedisSettings.Server;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import dev.exactlyonce.spi.SettingValues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The settings of the store redis, and the Redis that they describe. Needs no Redisson. */
public final class RedisStoreSettings {
    /** A hash tag in it would put all keys into one slot of a Cluster. */
    private static final Pattern PREFIX_PATTERN = Pattern.compile("[!-~&&[^{}]]{1,100}");

    private static final Pattern ENCODED =
            Pattern.compile("\\{(xor|aes|hash)}.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final String NAMESPACE = "exactlyonce.redis.";

    static final SettingDefinition<RedisUrl> URL = SettingDefinition.optional(
                    NAMESPACE + "url",
                    SettingType.of(
                                    "`redis://[user[:password]@]host[:port][/database]`, or `rediss://` for TLS",
                                    RedisStoreSettings::url)
                            .hidden(),
                    "The address of Redis. Percent-encode user and password. Without a user: `redis://:password@host`.")
            .withDocumentedDefault("`redis://127.0.0.1:6379`");

    static final SettingDefinition<String> HOST = SettingDefinition.optional(
                    NAMESPACE + "host",
                    SettingType.of("a host name or an IP address", RedisUrl::hostOf)
                            .hidden(),
                    "The host, as an alternative to the URL.")
            .withDocumentedDefault("`127.0.0.1`");

    static final SettingDefinition<Integer> PORT = SettingDefinition.optional(
                    NAMESPACE + "port",
                    SettingType.of("1 to 65535", RedisUrl::portOf).hidden(),
                    "The port, as an alternative to the URL.")
            .withDocumentedDefault("`6379`");

    static final SettingDefinition<Integer> DATABASE = SettingDefinition.optional(
                    NAMESPACE + "database",
                    SettingType.of("0 to 2147483647", RedisUrl::databaseOf).hidden(),
                    "The database, unless the URL contains it.")
            .withDocumentedDefault("`0`");

    static final SettingDefinition<String> USERNAME = SettingDefinition.optional(
            NAMESPACE + "username",
            SettingType.text("a text, with a password").hidden(),
            "The user, unless the URL contains it.");

    static final SettingDefinition<String> PASSWORD = SettingDefinition.optional(
            NAMESPACE + "password",
            SettingType.of("a text, neither `{xor}` nor `{aes}`", text -> Optional.of(decoded("is", text)))
                    .hidden(),
            "The password, unless the URL contains it.");

    static final SettingDefinition<Path> CONFIG_FILE = SettingDefinition.optional(
            NAMESPACE + "config-file",
            SettingType.path("a file that exists and can be read"),
            "A Redisson YAML file, for Sentinel, Cluster or certificates of your own. URL, host, port, database, user and"
                    + " password are ignored with it.");

    static final SettingDefinition<String> PREFIX = SettingDefinition.of(
            NAMESPACE + "prefix",
            SettingType.text("1 to 100 printable ASCII characters, no blank, no `{` or `}`", PREFIX_PATTERN),
            RedisSettings.DEFAULT_PREFIX,
            "The prefix of every key in Redis.");

    static final SettingDefinition<Duration> TIMEOUT = SettingDefinition.of(
            NAMESPACE + "timeout",
            SettingType.duration(RedisSettings.LEAST_TIMEOUT, RedisSettings.MOST_TIMEOUT),
            RedisSettings.DEFAULT_TIMEOUT,
            "How long Redis may take to answer before it counts as unavailable.");

    static final SettingDefinition<Integer> WAIT_REPLICAS = SettingDefinition.of(
            NAMESPACE + "wait-replicas",
            SettingType.integer(0, RedisSettings.MOST_REPLICAS),
            0,
            "How many Redis replicas must acknowledge a write. `0` relies on the master alone.");

    static final SettingDefinition<List<String>> SHARED_WITH = SettingDefinition.optional(
            NAMESPACE + "shared-with",
            SettingType.of(
                    "names of applications, separated by commas, with `*` for any characters, as in `shop-*`",
                    RedisStoreSettings::names),
            "Other applications that use the same prefix on purpose, such as the next version of this application under"
                    + " another name. Their records count here, without a warning.");

    static final List<SettingDefinition<?>> ALL = List.of(
            URL, HOST, PORT, DATABASE, USERNAME, PASSWORD, CONFIG_FILE, PREFIX, TIMEOUT, WAIT_REPLICAS, SHARED_WITH);

    private RedisStoreSettings() {}

    /** A URL by itself, as {@code exactlyonce.redis.url}. */
    public static SettingType<Server> urlOfServer() {
        return SettingType.of(URL.type().documentedValues(), text -> url(text).map(RedisStoreSettings::serverAt))
                .hidden();
    }

    /** A prefix of keys, as {@code exactlyonce.redis.prefix}. */
    public static SettingType<String> prefixOfKeys() {
        return PREFIX.type();
    }

    private static Server serverAt(RedisUrl url) {
        return new Server(
                url.tls(),
                url.host(),
                url.port().orElse(Server.DEFAULT.port()),
                url.database().orElse(Server.DEFAULT.database()),
                url.username(),
                url.password());
    }

    /** The Redis that the settings describe. */
    public static RedisSettings of(SettingValues values) {
        return new RedisSettings(
                server(values),
                values.find(CONFIG_FILE),
                values.get(PREFIX),
                values.get(TIMEOUT),
                values.get(WAIT_REPLICAS),
                values.find(SHARED_WITH).orElse(List.of()));
    }

    static Server server(SettingValues values) {
        Optional<RedisUrl> url = values.find(URL);
        return new Server(
                url.map(RedisUrl::tls).orElse(Server.DEFAULT.tls()),
                url.map(RedisUrl::host).or(() -> values.find(HOST)).orElse(Server.DEFAULT.host()),
                url.flatMap(RedisUrl::port).or(() -> values.find(PORT)).orElse(Server.DEFAULT.port()),
                url.flatMap(RedisUrl::database).or(() -> values.find(DATABASE)).orElse(Server.DEFAULT.database()),
                url.flatMap(RedisUrl::username).or(() -> values.find(USERNAME)),
                url.flatMap(RedisUrl::password).or(() -> values.find(PASSWORD)));
    }

    private static Optional<RedisUrl> url(String text) {
        RedisUrl url = RedisUrl.parse(decoded("is", text));
        url.password().ifPresent(it -> decoded("its password is", it));
        return Optional.of(url);
    }

    /** The server decodes its own passwords and passes ours on as they are written. */
    private static String decoded(String what, String text) {
        if (ENCODED.matcher(text).matches()) {
            throw new IllegalArgumentException(what
                    + " encoded ({xor}, {aes}), which is not decoded here; put the plain password into the file"
                    + " ${server.config.dir}/variables/" + NAMESPACE + "password");
        }
        return text;
    }

    private static Optional<List<String>> names(String text) {
        return Optional.of(Arrays.stream(text.split(",", -1)).map(String::strip).toList())
                .filter(it -> !it.contains(""));
    }
}
