package dev.exactlyonce.config;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Every setting of the sending side. The table of doc/sending.md is made from here. */
enum SenderSetting implements Property {
    ENDPOINTS(
            "exactlyonce.sender.endpoints",
            "none",
            "names `[a-z][a-z0-9-]{0,62}`, separated by commas",
            "Where events are sent. With one, Apache HttpClient 5 must be in the application."),
    DATA_SOURCE(
            "exactlyonce.sender.data-source",
            "not set",
            "the JNDI name of a `DataSource` of PostgreSQL",
            "Where the outbox is, instead of the file; `send` then takes part in the caller's JTA transaction."),
    SQLITE_PATH(
            "exactlyonce.sender.sqlite.path",
            "exactly-once-sender-<application name>.db",
            "a file in a folder that exists, on a local file system",
            "The outbox's file, relative to the server's working directory; not beside a data source."),
    REPLAY_WINDOW(
            "exactlyonce.sender.replay-window",
            "PT24H",
            "a duration, PT1S to P3650D",
            "Since an event's first attempt: an older dead letter is replayed by force alone, since its receiver may have"
                    + " forgotten the key."),
    RETENTION(
            "exactlyonce.sender.retention",
            "PT24H",
            "a duration, PT1S to P3650D",
            "How long the key of a delivered event stays known, so that it is not sent a second time."),

    URL(
            "url",
            "needed",
            "an absolute `https` URL of ASCII without user and fragment; `http` at localhost",
            "Where the endpoint's events go. A host with an underscore is called over `http` only."),
    SECRET(
            "secret",
            "needed",
            "`whsec_` and Base64 of 24 to 64 bytes, or a text of at least 16 characters",
            "Signs `X-Signature-256` and `webhook-signature`; a `$` is written `\\$`."),
    SECRET_PREVIOUS("secret-previous", "not set", "as `secret`", "Signs beside it, while a secret is changed."),
    SIGNING_KEY(
            "signing-key",
            "not set",
            "`whsk_` and the Base64 of an Ed25519 seed, 32 bytes, or of it and its public key",
            "Signs `v1a` in `webhook-signature`, too."),
    CODEC(
            "codec",
            "json",
            "`json`, `python-sorted`",
            "How a JSON body is written: compact UTF-8, or as Python's `json.dumps(…, sort_keys=True)`."),
    RETRY_DELAYS(
            "retry-delays",
            "PT1S,PT5S,PT30S",
            "at most 20 durations, PT0S to PT24H, separated by commas; `none`",
            "Before the second attempt, the third and so on; then the event is dead-lettered. Together not longer than `deadline`."),
    RETRY_JITTER(
            "retry-jitter", "0.1", "0 to 1", "What a delay may be longer by, as a share of it. It is never shorter."),
    DEADLINE(
            "deadline",
            "PT10M",
            "a duration, PT1S to P30D",
            "Since the first attempt: one that would begin later is not made."),
    GUARANTEE(
            "guarantee",
            "at-least-once",
            "`at-least-once`, `at-most-once`",
            "`at-most-once`: one attempt and no dead letter, for events that may be lost."),
    BREAKER(
            "breaker",
            "failures",
            "`failures`, `dlq-rate`, `none`",
            "When the circuit opens, for five minutes: after 10 failures in a row, or at more than 10 dead letters a second"
                    + " over a minute."),
    ALLOW_HTTP("allow-http", "false", "`true`, `false`", "Whether `http` may leave this machine."),
    ALLOW_PRIVATE(
            "allow-private",
            "false",
            "`true`, `false`",
            "Whether private and loopback addresses may be called: for tests and intranets. Link-local ones never are."),
    MAX_BODY_SIZE("max-body-size", "1048576", "bytes, 0 to 16777216", "A larger event is refused by `send`."),
    CONCURRENCY("concurrency", "8", "1 to 64", "How many attempts this replica makes there at once.");

    static final String SCOPE = "exactlyonce.sender.endpoint.";

    @SuppressWarnings("ImmutableEnumChecker") // a record of four texts
    private final Words words;

    SenderSetting(String key, String byDefault, String allowed, String meaning) {
        this.words = new Words(key, byDefault, allowed, meaning);
    }

    @Override
    public Words words() {
        return words;
    }

    @Override
    public String scope() {
        return key().startsWith(PREFIX) ? "" : SCOPE + "<name>.";
    }

    /** Every known property name, given the endpoints. */
    static Stream<String> names(Iterable<String> endpoints) {
        Stream.Builder<String> names = Stream.builder();
        Arrays.stream(values()).filter(Property::isGlobal).forEach(it -> names.add(it.key()));
        for (String endpoint : endpoints) {
            Arrays.stream(values())
                    .filter(it -> !it.isGlobal())
                    .forEach(it -> names.add(it.name(Optional.of(endpoint))));
        }
        return names.build();
    }

    /** The reference table, as doc/sending.md has it. */
    static String table() {
        return Setting.table(values());
    }
}
