package dev.exactlyonce.turn.redis;

import dev.exactlyonce.redis.BackgroundThread;
import dev.exactlyonce.redis.Deadline;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.redis.client.CommandReply;
import dev.exactlyonce.redis.client.KeyedCommand;
import dev.exactlyonce.redis.client.PipelinedClient;
import dev.exactlyonce.redis.client.RedisExceptions;
import dev.exactlyonce.redis.client.RoutedCommand;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.turn.SessionKey;
import dev.exactlyonce.turn.TakeReply;
import dev.exactlyonce.turn.TakenTurn;
import dev.exactlyonce.turn.TurnRenewal;
import dev.exactlyonce.turn.TurnRequest;
import dev.exactlyonce.turn.TurnStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.redisson.client.protocol.RedisCommand;

/**
 * Turns in Redis, for many replicas: the holder at {@code {prefix}turnlock:{session}}, whose expiry is the TTL; beside it, in
 * the same slot of a Cluster, those that wait and the last fence. A replica hears of offers on a channel of its own. Needs
 * scripts and {@code PUBLISH}. Thread-safe. A call takes at most the settings' timeout and 50 ms.
 */
public final class RedisTurns implements TurnStore {
    private static final RedisCommand<Object> EVALSHA = new RedisCommand<>("EVALSHA");
    private static final RedisCommand<Object> EVAL = new RedisCommand<>("EVAL");
    private static final RedisCommand<Object> SET = new RedisCommand<>("SET");

    private static final String LOCKS = "turnlock:";
    private static final Duration PROBE_STAYS = Duration.ofSeconds(10);
    private static final Duration GRACE = Duration.ofMillis(50);

    /** After this time without a turn a session's fences begin at the time again, which is greater. */
    private static final Duration FENCE_STAYS = Duration.ofDays(7);

    /** For a holder without an expiry, which this class never writes. */
    private static final Duration NO_END = Duration.ofSeconds(10);

    /** How soon those that wait ask again where no channel tells them of offers. */
    private static final Duration WITHOUT_CHANNEL = Duration.ofMillis(100);

    private final RedisSettings settings;
    private final PipelinedClient client;
    private final OfferChannel channel;
    private final String replica = UUID.randomUUID().toString();
    private final Duration limit;

    /** Waits for nothing: a first connection is begun. */
    public RedisTurns(RedisSettings settings) {
        this.settings = settings;
        this.limit = settings.timeout().plus(GRACE);
        this.client = new PipelinedClient(settings, new BackgroundThread("exactly-once-turns"), PipelinedClient.TICK);
        this.channel = new OfferChannel(client, channels() + replica);
        client.start(opened -> {});
    }

    private String channels() {
        return settings.prefix() + "turnlock-offers:";
    }

    @Override
    public void listen(WakeUps listener) {
        channel.listen(listener);
    }

    /** Whether offers are heard of at once; else those that wait ask again and again. */
    boolean hearsOffers() {
        return channel.isOpen();
    }

    @Override
    public TakeReply take(TurnRequest request) {
        Object reply = run(TurnScript.TAKE, new TakenTurn(request, 0)).get().orThrow();
        List<?> answer = (List<?>) Objects.requireNonNull(reply);
        long number = Long.parseLong(String.valueOf(answer.get(1)));
        if (Long.valueOf(1).equals(answer.get(0))) {
            return new TakeReply.Taken(number);
        }
        Duration left = number > 0 ? Duration.ofMillis(number) : NO_END;
        return new TakeReply.Queued(channel.isOpen() || left.compareTo(WITHOUT_CHANNEL) < 0 ? left : WITHOUT_CHANNEL);
    }

    @Override
    public boolean release(TurnRequest request) {
        return Long.valueOf(1)
                .equals(run(TurnScript.RELEASE, new TakenTurn(request, 0)).get().orThrow());
    }

    @Override
    public List<TurnRenewal> renewAll(List<TakenTurn> turns) {
        List<Supplier<CommandReply>> calls =
                turns.stream().map(it -> run(TurnScript.RENEW, it)).toList();
        List<TurnRenewal> renewals = new ArrayList<>(calls.size());
        StoreUnavailableException last = null;
        for (Supplier<CommandReply> call : calls) {
            try {
                Object answer = call.get().orThrow();
                renewals.add(Long.valueOf(1).equals(answer) ? TurnRenewal.HELD : TurnRenewal.LOST);
            } catch (StoreUnavailableException failure) {
                last = failure;
                renewals.add(TurnRenewal.UNANSWERED);
            }
        }
        if (last != null && renewals.stream().allMatch(TurnRenewal.UNANSWERED::equals)) {
            throw last;
        }
        return renewals;
    }

    /** Sends it at once; its answer is awaited by the supplier. */
    private Supplier<CommandReply> run(TurnScript script, TakenTurn turn) {
        Deadline deadline = Deadline.in(limit);
        String key = key(turn.request().session());
        RoutedCommand kept;
        try {
            kept = new RoutedCommand(
                    client, KeyedCommand.repeatable(key, EVALSHA, arguments(script.sha(), key, turn)), deadline);
        } catch (StoreUnavailableException noMaster) {
            return () -> CommandReply.failed(noMaster);
        }
        return () -> {
            CommandReply answer = kept.await();
            return RedisExceptions.isUnknownScript(answer.failure())
                    ? new RoutedCommand(
                                    client,
                                    KeyedCommand.repeatable(key, EVAL, arguments(script.text(), key, turn)),
                                    deadline)
                            .await()
                    : answer;
        };
    }

    private Object[] arguments(String script, String key, TakenTurn turn) {
        TurnRequest request = turn.request();
        String entry = replica + ":" + request.token();
        return new Object[] {
            script,
            3,
            key,
            beside(key, "queue"),
            beside(key, "fence"),
            entry,
            request.longestWait().toMillis() + ":" + entry,
            Math.max(1, request.ttl().toMillis()),
            OFFER.toMillis(),
            channels(),
            turn.fence(),
            FENCE_STAYS.toMillis()
        };
    }

    private String key(SessionKey session) {
        return settings.prefix() + LOCKS + session.value();
    }

    /** In the slot of the session's own key, which has no braces. */
    private String beside(String key, String what) {
        return settings.prefix() + "turnlock-" + what + ":{" + key + "}";
    }

    @Override
    public void probe() {
        String key = settings.prefix() + "turnlock-probe";
        KeyedCommand set = KeyedCommand.repeatable(key, SET, key, "1", "PX", PROBE_STAYS.toMillis());
        new RoutedCommand(client, set, Deadline.in(limit)).await().orThrow();
    }

    @Override
    public void close() {
        client.close();
    }
}
