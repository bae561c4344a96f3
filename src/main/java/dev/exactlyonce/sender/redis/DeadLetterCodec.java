package dev.exactlyonce.sender.redis;

import dev.exactlyonce.sender.Attempt;
import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutgoingEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A dead letter as the fields of a stream's entry: texts that a person can read, and the body as it is. */
final class DeadLetterCodec {
    private static final String ENDPOINT = "endpoint";
    private static final String KEY = "key";
    private static final String ERROR = "error";
    private static final String FIRST_ATTEMPT = "first-attempt";
    private static final String SINCE = "since";
    private static final String NOT_BEFORE = "not-before";
    private static final String REPLAYED = "replayed";
    private static final String BODY = "body";

    /** And the attempt's place in the history: its number, its time and its outcome, between blanks. */
    private static final String ATTEMPT = "attempt.";

    /** And its name. */
    private static final String HEADER = "header.";

    private static final int PARTS_OF_AN_ATTEMPT = 3;

    private DeadLetterCodec() {}

    static Map<String, byte[]> of(DeadLetter letter) {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        fields.put(ENDPOINT, bytes(letter.endpoint()));
        fields.put(KEY, bytes(letter.key().value()));
        fields.put(ERROR, bytes(letter.error()));
        fields.put(SINCE, bytes(letter.since().toString()));
        letter.firstAttempt().ifPresent(it -> fields.put(FIRST_ATTEMPT, bytes(it.toString())));
        letter.notBefore().ifPresent(it -> fields.put(NOT_BEFORE, bytes(it.toString())));
        letter.replayed().ifPresent(it -> fields.put(REPLAYED, bytes(it.toString())));
        for (int i = 0; i < letter.attempts().size(); i++) {
            Attempt it = letter.attempts().get(i);
            fields.put(ATTEMPT + i, bytes(it.number() + " " + it.at() + " " + it.outcome()));
        }
        letter.headers().forEach((name, value) -> fields.put(HEADER + name, bytes(value)));
        fields.put(BODY, letter.event().body());
        return fields;
    }

    /** Empty for what {@link #of} did not make. */
    static Optional<DeadLetter> read(String id, Map<String, byte[]> fields) {
        try {
            OutgoingEvent event = new OutgoingEvent(
                    text(fields, ENDPOINT),
                    new EventKey(text(fields, KEY)),
                    headers(fields),
                    Objects.requireNonNull(fields.get(BODY)));
            Instant since = Instant.parse(text(fields, SINCE));
            return Optional.of(DeadLetter.builder(id, event, text(fields, ERROR), since)
                    .attempts(attempts(fields))
                    .firstAttempt(time(fields, FIRST_ATTEMPT))
                    .notBefore(time(fields, NOT_BEFORE))
                    .replayed(time(fields, REPLAYED))
                    .build());
        } catch (RuntimeException malformed) {
            return Optional.empty();
        }
    }

    private static Map<String, String> headers(Map<String, byte[]> fields) {
        Map<String, String> headers = new HashMap<>();
        fields.forEach((name, value) -> {
            if (name.startsWith(HEADER)) {
                headers.put(name.substring(HEADER.length()), text(value));
            }
        });
        return headers;
    }

    private static List<Attempt> attempts(Map<String, byte[]> fields) {
        List<Attempt> attempts = new ArrayList<>();
        byte[] value = fields.get(ATTEMPT + 0);
        while (value != null) {
            String[] parts = text(value).split(" ", PARTS_OF_AN_ATTEMPT);
            attempts.add(new Attempt(Integer.parseInt(parts[0]), Instant.parse(parts[1]), parts[2]));
            value = fields.get(ATTEMPT + attempts.size());
        }
        return attempts;
    }

    private static Optional<Instant> time(Map<String, byte[]> fields, String name) {
        byte @Nullable [] value = fields.get(name);
        return value == null ? Optional.empty() : Optional.of(Instant.parse(text(value)));
    }

    private static String text(Map<String, byte[]> fields, String name) {
        return text(Objects.requireNonNull(fields.get(name)));
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
