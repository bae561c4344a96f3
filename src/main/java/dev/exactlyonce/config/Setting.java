package dev.exactlyonce.config;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every setting of one source: its name, its default, what is allowed and what it means. */
enum Setting implements Property {
    SOURCE_KEY(
            "key",
            "header:Idempotency-Key|header:webhook-id",
            "key expressions, separated by blanks",
            "Where the parts of the idempotency key are in a delivery."),
    SOURCE_LEASE("lease", "`exactlyonce.lease`", "as there", "This source's lease."),
    SOURCE_TTL("ttl", "`exactlyonce.ttl`", "as there", "This source's TTL."),
    SOURCE_RETRY_WINDOW(
            "retry-window",
            "the preset's",
            "a duration, PT0S to P3650D",
            "How long the provider retries a delivery. A TTL shorter than twice this time causes a warning."),
    SOURCE_ON_OUTAGE(
            "on-outage",
            "`exactlyonce.on-outage`",
            "as there",
            "What happens to this source's deliveries during an outage of the store."),
    SOURCE_MAX_BODY_SIZE("max-body-size", "`exactlyonce.max-body-size`", "as there", "This source's largest body."),
    SOURCE_MISSING_KEY(
            "missing-key",
            "reject",
            "`reject`, `body`",
            "Without a key: answer 400, or use the SHA-256 of the body. Distinct events can have identical bodies."),
    SOURCE_FINGERPRINT(
            "fingerprint",
            "none; separate for an id that is not signed",
            "`none`, `body`, `separate`",
            "A known key with a different body is a duplicate; or gets a 422; or is a separate delivery, which runs and is"
                    + " logged."),
    SOURCE_DEDUP_BODY(
            "dedup-body",
            "false",
            "`true`, `false`",
            "Whether the body must be new, too: prevents replays of a captured request under a new id. Distinct events can have"
                    + " identical bodies."),
    SOURCE_RECORD_ON(
            "record-on",
            "success",
            "`success`, `client-error`, `always`",
            "Which outcomes are recorded: a 2xx; also a 4xx; also a 3xx, 5xx and exceptions."),
    SOURCE_IN_FLIGHT_STATUS(
            "in-flight-status",
            "409",
            "`409`, `425`, `503`",
            "The status of the answer to a copy of a delivery that is still running."),
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
            "a row of [the table of senders](sources.md)",
            "The provider: sets key, signature, lease and TTL."),
    SOURCE_SECRET(
            "secret",
            "not set",
            "what the preset's row names; neither `{xor}` nor `{aes}`",
            "The secret that verifies signatures. Write `$` as `\\$`."),
    SOURCE_SECRET_PREVIOUS(
            "secret-previous", "not set", "as `secret`", "A second valid secret, while a secret is rotated."),
    SOURCE_SECRET_FILE(
            "secret-file",
            "not set",
            "a file with one secret a line",
            "A file with further secrets. It is read again when it changes."),
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
            "the exact value from the provider's dashboard",
            "With `google-pubsub`: the token's audience."),
    SOURCE_EMAIL("email", "not set", "an e-mail address", "With `google-pubsub`: the service account of the token."),
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
            "the exact value from the provider's dashboard",
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
            "With `hmac`, without the two above: the place of the timestamp in the signed body."),
    SOURCE_TIMESTAMP_FORMAT(
            "timestamp-format", "`seconds`", "`seconds`, `millis`, `rfc3339`", "With `hmac`: how it is written.");

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

    @Override
    public String scope() {
        return SOURCE_PREFIX + "<name>.";
    }

    /** The property names of these sources' settings. */
    static Stream<String> names(Iterable<String> sources) {
        Stream.Builder<String> names = Stream.builder();
        for (String source : sources) {
            Arrays.stream(values()).forEach(it -> names.add(it.name(Optional.of(source))));
        }
        return names.build();
    }

    /** The reference table, as doc/configuration.md has it. */
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
