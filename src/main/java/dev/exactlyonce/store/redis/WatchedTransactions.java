package dev.exactlyonce.store.redis;

import dev.exactlyonce.redis.Deadline;
import dev.exactlyonce.redis.NettyThreadLocals;
import dev.exactlyonce.redis.client.CommandReply;
import dev.exactlyonce.redis.client.DedicatedConnection;
import dev.exactlyonce.redis.client.PipelinedClient;
import dev.exactlyonce.redis.client.RedisExceptions;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisConnection;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.connection.MasterSlaveEntry;

/**
 * Owner-checked operations without scripts: WATCH, look, MULTI, change, EXEC, over a connection of the client's pool that
 * no other caller uses in the meantime. When a key has changed between, EXEC does nothing, and all keys are read again.
 */
final class WatchedTransactions {
    private static final RedisCommand<Object> TIME = new RedisCommand<>("TIME");
    private static final int MOST_ATTEMPTS = 20;
    private static final int MOST_KEYS = 128;

    /** PTTL of a key that is not there. */
    private static final long ABSENT = -2;

    private final PipelinedClient client;
    private final int replicas;

    WatchedTransactions(PipelinedClient client, int replicas) {
        this.client = client;
        this.replicas = replicas;
    }

    /**
     * Runs each check; those of one slot share a transaction, as many as is fair to others. The outcomes are in the
     * order of the checks.
     */
    List<CheckOutcome> run(List<OwnerCheck> checks, Deadline deadline) {
        Map<Integer, List<Integer>> bySlot = new TreeMap<>();
        for (int i = 0; i < checks.size(); i++) {
            bySlot.computeIfAbsent(client.slotOf(checks.get(i).key(), deadline), slot -> new ArrayList<>())
                    .add(i);
        }
        CheckOutcome[] findings = new CheckOutcome[checks.size()];
        for (List<Integer> ofOneSlot : bySlot.values()) {
            for (int from = 0; from < ofOneSlot.size(); from += MOST_KEYS) {
                List<Integer> chunk = ofOneSlot.subList(from, Math.min(from + MOST_KEYS, ofOneSlot.size()));
                List<CheckOutcome> some =
                        orFailures(chunk.stream().map(checks::get).toList(), deadline);
                for (int i = 0; i < some.size(); i++) {
                    findings[chunk.get(i)] = some.get(i);
                }
            }
        }
        return List.of(findings);
    }

    private List<CheckOutcome> orFailures(List<OwnerCheck> checks, Deadline deadline) {
        try {
            return NettyThreadLocals.removedAfter(() -> together(checks, deadline));
        } catch (StoreUnavailableException failure) { // another slot's master may be available
            return checks.stream().map(it -> CheckOutcome.failed(failure)).toList();
        }
    }

    private List<CheckOutcome> together(List<OwnerCheck> checks, Deadline deadline) {
        MasterSlaveEntry master = client.masterOf(checks.get(0).key(), deadline);
        CompletableFuture<RedisConnection> borrowed = master.connectionWriteOp(RedisCommands.MULTI);
        RedisConnection connection;
        try {
            connection = deadline.await(borrowed);
        } catch (ExecutionException | TimeoutException e) {
            borrowed.completeExceptionally(e); // gives back what comes too late
            throw RedisExceptions.of(RedisExceptions.cause(e));
        }
        boolean clean = false;
        try (DedicatedConnection dedicated = new DedicatedConnection(connection, deadline)) {
            for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
                List<CheckOutcome> found = attempt(dedicated, checks);
                if (found != null) {
                    clean = true;
                    return found;
                }
            }
            clean = true;
            throw new StoreUnavailableException("a key of Redis changes faster than it can be written");
        } finally {
            if (!clean) { // what is watched or queued must not reach the next one
                var unused = connection.forceFastReconnectAsync();
            }
            master.releaseWrite(connection);
        }
    }

    private static long number(CommandReply reply) {
        Object text = reply.orThrow();
        return text == null ? 0 : Long.parseLong((String) text);
    }

    private static long micros(CommandReply reply) {
        List<?> time = (List<?>) Objects.requireNonNull(reply.orThrow());
        return Long.parseLong(time.get(0).toString()) * 1_000_000
                + Long.parseLong(time.get(1).toString());
    }

    private @Nullable List<CheckOutcome> attempt(DedicatedConnection dedicated, List<OwnerCheck> checks) {
        dedicated.send(RedisCommands.WATCH, checks.stream().map(OwnerCheck::key).toArray());
        for (OwnerCheck check : checks) {
            dedicated.send(DedicatedConnection.GET, check.key());
            dedicated.send(DedicatedConnection.PTTL, check.key());
            if (check.script() == Script.RESERVE) {
                dedicated.send(DedicatedConnection.GET, check.fenceKey());
                dedicated.send(TIME);
            }
        }
        List<CommandReply> there = dedicated.receiveEach();
        List<CheckOutcome> findings = new ArrayList<>(checks.size());
        List<ClientSideChange.Command> commands = new ArrayList<>();
        boolean ended = false;
        Iterator<CommandReply> replies = there.listIterator(1);
        for (OwnerCheck check : checks) {
            CommandReply value = replies.next();
            CommandReply ttl = replies.next();
            CommandReply lastFence = check.script() == Script.RESERVE ? replies.next() : null;
            CommandReply time = check.script() == Script.RESERVE ? replies.next() : null;
            ended |= value.value() != null && Long.valueOf(ABSENT).equals(ttl.value());
            findings.add(CheckOutcome.of(() -> {
                long left = (Long) Objects.requireNonNull(ttl.orThrow());
                ClientSideChange change = lastFence == null || time == null
                        ? ClientSideChange.of(check, (String) value.orThrow(), left)
                        : ClientSideChange.reserving(
                                check, (String) value.orThrow(), left, number(lastFence), micros(time));
                commands.addAll(change.commands());
                return change.found();
            }));
        }
        if (ended || commands.isEmpty()) {
            dedicated.send(RedisCommands.UNWATCH);
            dedicated.receive();
            return ended ? null : findings;
        }
        dedicated.send(RedisCommands.MULTI);
        commands.forEach(it -> dedicated.send(it.command(), it.arguments()));
        dedicated.send(RedisCommands.EXEC);
        List<Object> answers = dedicated.receive();
        if (!(answers.get(answers.size() - 1) instanceof List<?> done) || done.isEmpty()) {
            return null; // RESP3 has no list for what was not done
        }
        if (replicas > 0 && dedicated.waitFor(replicas) < replicas) {
            throw RedisExceptions.tooFewReplicas();
        }
        return findings;
    }
}
