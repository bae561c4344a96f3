package dev.exactlyonce.config;

import dev.exactlyonce.redis.RedisSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every setting of the receiving side: its name, its default, what is allowed and what it means. The README's table is made from here. */
enum Setting implements Property {
    SOURCES(
            "exactlyonce.sources",
            "what annotations name",
            "names `[a-z][a-z0-9-]{0,62}`, separated by commas",
            "The sources that a `{param}` may name; any other value is answered 404."),
    STORE(
            "exactlyonce.store",
            "sqlite",
            "`sqlite`, `redis`, `memory` (`jdbc` is not available yet)",
            "Where keys are kept: a file of this replica, a Redis of all replicas, or this process alone."),
    LEASE(
            "exactlyonce.lease",
            "PT15M",
            "a duration, PT0.001S to P365D",
            "How long a claim holds; a key whose handler died is free again after it."),
    MAX_HOLD(
            "exactlyonce.max-hold",
            "PT1H",
            "a duration, PT1S to P365D",
            "How long the claim of a handler that still runs is renewed, at most."),
    TTL(
            "exactlyonce.ttl",
            "PT24H",
            "a duration, PT0.001S to P3650D; or `sub-minute`, `sub-hour`, `daily`",
            "How long a record is kept, from its writing: longer than the sender's last retry. A sender that repeats"
                    + " within a minute: 24 hours; within an hour: 7 days; within days: 30 days."),
    STRICT_TTL(
            "exactlyonce.strict-ttl",
            "false",
            "`true`, `false`",
            "Whether a source's TTL that is shorter than twice its retry window, or twice its tolerance, stops the deployment;"
                    + " else it is warned of."),
    ON_OUTAGE(
            "exactlyonce.on-outage",
            "admit",
            "`admit`, `reject`",
            "While the store is unavailable: run the handler, best effort, or answer 503."),
    MAX_BODY_SIZE("exactlyonce.max-body-size", "1048576", "bytes, 0 to 1073741824", "A larger body is answered 413."),
    REMEMBER(
            "exactlyonce.remember",
            "100000",
            "0 to 10000000",
            "How many records this replica answers for without asking the store."),
    SQLITE_PATH(
            "exactlyonce.sqlite.path",
            "exactly-once-<application name>.db",
            "a file in a folder that exists, on a local file system",
            "The database file, relative to the server's working directory; with `redis`, of its fallback."),
    SQLITE_FILE_SYSTEM(
            "exactlyonce.sqlite.file-system",
            "local",
            "`local`, `any`",
            "Where the database files may be, the sender's too: on a file system that is known to be local, or on any."
                    + " SQLite loses keys on one that machines share."),
    REDIS_URL(
            "exactlyonce.redis.url",
            "redis://127.0.0.1:6379",
            "`redis://[user[:password]@]host[:port][/database]`, or `rediss://` for TLS",
            "Where Redis is; user and password are percent-encoded. Without a user: `redis://:password@host`."),
    REDIS_HOST(
            "exactlyonce.redis.host",
            "`127.0.0.1`",
            "a host name or an IP address",
            "Instead of the URL: the host; not beside one."),
    REDIS_PORT("exactlyonce.redis.port", "`6379`", "1 to 65535", "Instead of the URL: the port; not beside one."),
    REDIS_DATABASE("exactlyonce.redis.database", "`0`", "0 to 2147483647", "The database, unless the URL names it."),
    REDIS_USERNAME(
            "exactlyonce.redis.username", "not set", "a text, beside a password", "The user, unless the URL names it."),
    REDIS_PASSWORD(
            "exactlyonce.redis.password",
            "not set",
            "a text, neither `{xor}` nor `{aes}`",
            "The password, unless the URL has it."),
    REDIS_CONFIG_FILE(
            "exactlyonce.redis.config-file",
            "not set",
            "a file that exists and can be read",
            "A Redisson YAML, for Sentinel, Cluster or own certificates; URL, host, port, database, user and password"
                    + " do not count beside it."),
    REDIS_PREFIX(
            "exactlyonce.redis.prefix",
            RedisSettings.DEFAULT_PREFIX,
            "1 to 100 printable ASCII characters, no blank, no `{` or `}`",
            "Stands before every key in Redis."),
    REDIS_TIMEOUT(
            "exactlyonce.redis.timeout",
            "PT0.5S",
            "a duration, PT0.01S to PT60S",
            "How long Redis may take to answer; then it counts as unavailable."),
    REDIS_WAIT_REPLICAS(
            "exactlyonce.redis.wait-replicas",
            "0",
            "0 to 16",
            "How many Redis replicas must have a write before it counts; 0 trusts the master alone."),
    REDIS_SHARED_WITH(
            "exactlyonce.redis.shared-with",
            "not set",
            "names of applications, separated by commas, with `*` for any characters, as in `shop-*`",
            "Other applications that use the same prefix on purpose, such as the next version of this one under another"
                    + " name: their records count here, and nothing warns of them."),
    DOWN_WHEN_DEGRADED(
            "exactlyonce.health.down-when-degraded",
            "false",
            "`true`, `false`",
            "Whether readiness is DOWN, not only degraded, while a guarantee is weaker than configured."),

    SOURCE_KEY(
            "key",
            "header:Idempotency-Key|header:webhook-id",
            "key expressions, separated by blanks",
            "Where the parts of the idempotency key are."),
    SOURCE_LEASE("lease", "`exactlyonce.lease`", "as there", "This source's lease."),
    SOURCE_TTL("ttl", "`exactlyonce.ttl`", "as there", "This source's TTL."),
    SOURCE_RETRY_WINDOW(
            "retry-window",
            "the preset's",
            "a duration, PT0S to P3650D",
            "How long the sender goes on repeating a delivery: a TTL shorter than twice of it is warned of."),
    SOURCE_ON_OUTAGE("on-outage", "`exactlyonce.on-outage`", "as there", "This source's choice in an outage."),
    SOURCE_MAX_BODY_SIZE("max-body-size", "`exactlyonce.max-body-size`", "as there", "This source's largest body."),
    SOURCE_MISSING_KEY(
            "missing-key",
            "reject",
            "`reject`, `body`",
            "Without a key: answer 400, or take the SHA-256 of the body; two true events may have equal bodies."),
    SOURCE_FINGERPRINT(
            "fingerprint",
            "none; separate for an id that is not signed",
            "`none`, `body`, `separate`",
            "A key that comes again with another body: a duplicate; answered 422; or a delivery of its own, which runs and is"
                    + " logged."),
    SOURCE_DEDUP_BODY(
            "dedup-body",
            "false",
            "`true`, `false`",
            "Whether the body must be new, too: against a captured request under a new id. Two true events may have equal"
                    + " bodies."),
    SOURCE_RECORD_ON(
            "record-on",
            "success",
            "`success`, `client-error`, `always`",
            "Which outcomes are recorded: a 2xx; also a 4xx; also a 3xx, 5xx and exceptions."),
    SOURCE_IN_FLIGHT_STATUS(
            "in-flight-status", "409", "`409`, `425`, `503`", "The answer to a copy of a delivery that still runs."),
    SOURCE_DUPLICATE(
            "duplicate",
            "ack",
            "`ack`, `replay`, `forward`",
            "A copy of a recorded delivery: answer `200 {\"status\":\"duplicate\"}`; answer as the first time; or run the"
                    + " handler again, with `Delivery.isDuplicate()`."),
    SOURCE_REPLAY_MAX_SIZE(
            "replay.max-size",
            "`65536`",
            "bytes, 0 to 1048576",
            "With `replay`: a larger answer is not kept, and its copies are acknowledged as with `ack`."),
    SOURCE_FORWARD_TO(
            "forward-to",
            "not set",
            "one of `exactlyonce.sender.endpoints`",
            "In the gateway: sends each delivery on to that endpoint, and answers 202 when it is in the outbox."),
    SOURCE_FORWARD_HEADERS(
            "forward-headers",
            "not set",
            "headers' names, separated by commas",
            "With `forward-to`: what goes with it, besides `Content-Type`."),
    SOURCE_EVENTS(
            "events",
            "all of them",
            "names, separated by commas; `issues` takes `issues.opened`, too",
            "The events that are taken; any other is answered `200 {\"status\":\"skipped\"}`."),
    SOURCE_EVENT_KEY(
            "event-key",
            "the preset's",
            "key expressions, separated by blanks",
            "Where an event's name is: what they find, joined by dots; only the first must be there."),
    SOURCE_PRESET(
            "preset",
            "not set",
            "a row of [doc/sources.md](doc/sources.md)",
            "Who sends: key, signature, lease and TTL as that sender has them."),
    SOURCE_SECRET(
            "secret",
            "not set",
            "what the preset's row names; neither `{xor}` nor `{aes}`",
            "Proves that a delivery is the sender's; a `$` is written `\\$`."),
    SOURCE_SECRET_PREVIOUS("secret-previous", "not set", "as `secret`", "Counts, too, while a secret is changed."),
    SOURCE_SECRET_FILE(
            "secret-file",
            "not set",
            "a file with one secret a line",
            "Counts beside the others; read again when it changes."),
    SOURCE_ALLOW_SHORT_SECRET(
            "allow-short-secret",
            "`false`",
            "`true`, `false`",
            "Whether a secret of Standard Webhooks may have less than 24 bytes."),
    SOURCE_TOLERANCE(
            "tolerance",
            "the preset's",
            "a duration, PT0S to P36500D",
            "How far a signed timestamp may be from now, before or after."),
    SOURCE_PUBLIC_URL(
            "public-url",
            "not set",
            "an absolute `https` or `http` URL without a query",
            "The address that the sender calls, where it is signed: a proxy hides it."),
    SOURCE_AUDIENCE(
            "audience",
            "not set",
            "a text, as it was typed in at the sender",
            "With `google-pubsub`: for whom its token must be."),
    SOURCE_EMAIL(
            "email",
            "not set",
            "an e-mail address",
            "With `google-pubsub`: the service account whose token it must be."),
    SOURCE_URL_VALIDATION(
            "url-validation",
            "`head`",
            "`head`, `get`, `none`",
            "What is answered 200 where the application has no method for it, since senders ask so whether the address is"
                    + " there: a HEAD, a HEAD or a GET, or neither."),
    SOURCE_CONFIRM_SUBSCRIPTION(
            "confirm-subscription",
            "`false`",
            "`true`, `false`",
            "With `aws-sns`: whether a SubscriptionConfirmation of the topic is confirmed; else it is refused."),
    SOURCE_VERIFY_TOKEN(
            "verify-token",
            "not set",
            "a text, as it was typed in at the sender",
            "What a GET challenge of Meta must bring; without it the challenge is not answered."),
    SOURCE_SIGNATURE_HEADER(
            "signature-header",
            "not set",
            "a header's name, or several with vertical bars between them",
            "With `hmac`: where the signature is; of several headers the first that was sent counts."),
    SOURCE_SIGNATURE_ALGORITHM(
            "signature-algorithm",
            "`sha256`",
            "`sha256`, `sha512`, `sha1`, `ed25519`, `ecdsa-sha256`",
            "With `hmac`: how it is made."),
    SOURCE_SIGNATURE_ENCODING("signature-encoding", "`hex`", "`hex`, `base64`", "With `hmac`: how it is written."),
    SOURCE_SIGNATURE_PREFIX(
            "signature-prefix",
            "not set",
            "a text without blanks, such as `sha256=`",
            "With `hmac`: what stands before it; what begins otherwise is not looked at."),
    SOURCE_SIGNATURE_SEPARATOR(
            "signature-separator",
            "not set",
            "`comma`, `semicolon`, `blank`",
            "With `hmac`: what separates several entries in the header."),
    SOURCE_SIGNED_CONTENT(
            "signed-content",
            "`{body}`",
            "text with `{body}`, `{timestamp}`, `{id}`, `{method}`, `{url}`, `{header:Name}`, `{query:name}`",
            "With `hmac`: what is signed."),
    SOURCE_SECRET_ENCODING(
            "secret-encoding",
            "`utf8`",
            "`utf8`, `base64`, `hex`, `whsec`",
            "With `hmac`: how the secret's text becomes the key; `whsec` is Base64 after `whsec_`."),
    SOURCE_ID_HEADER("id-header", "not set", "a header's name", "With `hmac`: what `{id}` stands for."),
    SOURCE_TIMESTAMP_HEADER(
            "timestamp-header", "not set", "a header's name", "With `hmac`: what `{timestamp}` stands for."),
    SOURCE_TIMESTAMP_PREFIX(
            "timestamp-prefix",
            "not set",
            "a text without blanks, such as `t=`",
            "With `hmac`, without `timestamp-header`: the entry of the signature's header with the timestamp."),
    SOURCE_TIMESTAMP_JSON(
            "timestamp-json",
            "not set",
            "a JSON pointer, such as `/sentAt`",
            "With `hmac`, without the two above: where the signed body tells the timestamp."),
    SOURCE_TIMESTAMP_FORMAT(
            "timestamp-format", "`seconds`", "`seconds`, `millis`, `rfc3339`", "With `hmac`: how it is written.");

    /** Names of the contract that this version refuses, so that nobody relies on them by mistake. */
    static final List<String> NOT_YET = List.of("exactlyonce.jdbc.data-source", "exactlyonce.jdbc.table");

    static final String SOURCE_PREFIX = "exactlyonce.source.";

    @SuppressWarnings("ImmutableEnumChecker") // a record of four texts
    private final Words words;

    Setting(String key, String byDefault, String allowed, String meaning) {
        this.words = new Words(key, byDefault, allowed, meaning);
    }

    @Override
    public Words words() {
        return words;
    }

    boolean isOfASource() {
        return !key().startsWith(PREFIX);
    }

    @Override
    public String scope() {
        return isOfASource() ? SOURCE_PREFIX + "<name>." : "";
    }

    /** Every known property name, given the sources. */
    static Stream<String> names(Iterable<String> sources) {
        Stream<String> global = Stream.concat(
                Arrays.stream(values()).filter(it -> !it.isOfASource()).map(it -> it.key()), NOT_YET.stream());
        Stream.Builder<String> ofSources = Stream.builder();
        for (String source : sources) {
            Arrays.stream(values())
                    .filter(Setting::isOfASource)
                    .forEach(it -> ofSources.add(it.name(Optional.of(source))));
        }
        return Stream.concat(global, ofSources.build());
    }

    /** The reference table, as the README has it. */
    static String table() {
        return table(values());
    }

    static String table(Property[] properties) {
        return Arrays.stream(properties)
                .map(Property::row)
                .collect(Collectors.joining(
                        "\n", "| setting | default | allowed | meaning |\n|---|---|---|---|\n", "\n"));
    }
}
