package dev.exactlyonce.sender.redis;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.OutboxUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchResult;
import org.redisson.api.RBatch;
import org.redisson.api.RStream;
import org.redisson.api.RedissonClient;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamRangeArgs;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.codec.CompositeCodec;

/**
 * The stream {@code {prefix}dlq}, an entry a dead letter. Every method throws {@link OutboxUnavailableException}, and then
 * may have done its work or not. Thread-safe.
 */
final class DeadLetterStream {
    private static final System.Logger LOG = System.getLogger(DeadLetterStream.class.getName());

    /** Their bodies must come within the timeout. */
    private static final int READ_TOGETHER = 8;

    private static final Pattern ID = Pattern.compile("(\\d{1,18})-(\\d{1,18})");
    private static final CompositeCodec FIELDS = new CompositeCodec(StringCodec.INSTANCE, ByteArrayCodec.INSTANCE);

    private final String name;
    private final int waitReplicas;
    private final Duration timeout;
    private final DeadLetterClient connection;

    DeadLetterStream(DeadLetterClient connection, RedisSettings settings) {
        this.connection = connection;
        this.name = settings.prefix() + "dlq";
        this.waitReplicas = settings.waitReplicas();
        this.timeout = settings.timeout();
    }

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** Empty for what cannot be an entry's. */
    private static Optional<StreamMessageId> id(String text) {
        Matcher parts = ID.matcher(text);
        return parts.matches()
                ? Optional.of(new StreamMessageId(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2))))
                : Optional.empty();
    }

    private RStream<String, byte[]> stream(RedissonClient client) {
        return client.getStream(name, FIELDS);
    }

    /** Asks for nothing but an answer. */
    void probe() {
        connection.call(client -> stream(client).sizeAsync());
    }

    /** The id of the new entry, which as many replicas have as the settings ask for. */
    String add(DeadLetter letter) {
        StreamAddArgs<String, byte[]> entry = StreamAddArgs.entries(DeadLetterCodec.of(letter));
        if (waitReplicas == 0) {
            return connection.call(client -> stream(client).addAsync(entry)).toString();
        }
        BatchResult<?> result = connection.call(
                client -> {
                    RBatch batch = client.createBatch(BatchOptions.defaults()
                            .retryAttempts(0)
                            .responseTimeout(timeout.toMillis() * 2, TimeUnit.MILLISECONDS)
                            .sync(waitReplicas, timeout));
                    var unused = batch.<String, byte[]>getStream(name, FIELDS).addAsync(entry);
                    return batch.executeAsync();
                },
                timeout);
        String id = result.getResponses().get(0).toString();
        if (result.getSyncedSlaves() < waitReplicas) {
            remove(id); // it stays where it was
            throw new OutboxUnavailableException(
                    "fewer replicas of Redis have a dead letter than wait-replicas asks for");
        }
        return id;
    }

    /** Entries that the filter lets through and that are behind its {@code after}, if that is an id here, oldest first. */
    List<DeadLetter> list(DeadLetters.Filter filter, int most) {
        List<DeadLetter> found = new ArrayList<>();
        StreamMessageId from = filter.after()
                .flatMap(DeadLetterStream::id)
                .map(DeadLetterStream::behind)
                .orElse(StreamMessageId.MIN);
        while (true) {
            Map<StreamMessageId, Map<String, byte[]>> page = range(READ_TOGETHER, from, StreamMessageId.MAX);
            for (Map.Entry<StreamMessageId, Map<String, byte[]>> it : page.entrySet()) {
                letter(it.getKey(), it.getValue())
                        .filter(letter -> isMeant(letter, filter))
                        .ifPresent(found::add);
                if (found.size() == most) {
                    return found;
                }
                from = behind(it.getKey());
            }
            if (page.size() < READ_TOGETHER) {
                return found;
            }
        }
    }

    private static boolean isMeant(DeadLetter letter, DeadLetters.Filter filter) {
        return filter.endpoint().map(letter.endpoint()::equals).orElse(true)
                && !filter.from().map(letter.since()::isBefore).orElse(false)
                && filter.to().map(letter.since()::isBefore).orElse(true);
    }

    private static StreamMessageId behind(StreamMessageId id) {
        return new StreamMessageId(id.getId0(), id.getId1() + 1);
    }

    private static Optional<DeadLetter> letter(StreamMessageId id, Map<String, byte[]> fields) {
        Optional<DeadLetter> letter = DeadLetterCodec.read(id.toString(), fields);
        if (letter.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "EXON0722 entry {0} of the dead-letter stream is not a valid dead letter; it is skipped",
                    id);
        }
        return letter;
    }

    /** By their ids, in order. */
    private Map<StreamMessageId, Map<String, byte[]>> range(int most, StreamMessageId from, StreamMessageId to) {
        return new LinkedHashMap<>(connection.call(client -> stream(client)
                .rangeAsync(StreamRangeArgs.startId(from).endId(to).count(most))));
    }

    Optional<DeadLetter> get(String id) {
        return id(id).flatMap(
                        it -> Optional.ofNullable(range(1, it, it).get(it)).flatMap(fields -> letter(it, fields)));
    }

    /** False when it was not there. */
    boolean remove(String id) {
        return id(id).isPresent() && connection.call(client -> stream(client).removeAsync(id(id).orElseThrow())) > 0;
    }
}
