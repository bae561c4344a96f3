package dev.exactlyonce.store.redis;

import dev.exactlyonce.redis.Deadline;
import dev.exactlyonce.redis.client.CommandReply;
import dev.exactlyonce.redis.client.KeyedCommand;
import dev.exactlyonce.redis.client.PipelinedClient;
import dev.exactlyonce.redis.client.RedisExceptions;
import dev.exactlyonce.redis.client.RoutedCommand;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.redisson.client.protocol.RedisCommand;

/**
 * Runs owner-checked operations: as scripts that Redis has kept, as scripts that it is sent when it has lost them (after
 * a restart, a failover, a SCRIPT FLUSH), and as transactions where it permits no scripts.
 */
final class OwnerChecks {
    private static final System.Logger LOG = System.getLogger(OwnerChecks.class.getName());

    private static final RedisCommand<Object> EVALSHA = new RedisCommand<>("EVALSHA");

    /** Keeps the script as well. */
    private static final RedisCommand<Object> EVAL = new RedisCommand<>("EVAL");

    private final PipelinedClient client;
    private final WatchedTransactions transactions;
    private volatile boolean scriptsAreForbidden;

    OwnerChecks(PipelinedClient client, int replicas) {
        this.client = client;
        this.transactions = new WatchedTransactions(client, replicas);
    }

    CheckResult run(OwnerCheck check, Deadline deadline) {
        return run(List.of(check), deadline).get(0).orThrow();
    }

    /** Runs each by itself, all in one round trip; the outcomes are in the order of the checks. */
    List<CheckOutcome> run(List<OwnerCheck> checks, Deadline deadline) {
        if (scriptsAreForbidden) {
            return transactions.run(checks, deadline);
        }
        List<CommandReply> answers = send(EVALSHA, checks, deadline);
        List<Integer> unknown = where(answers, RedisExceptions::isUnknownScript);
        if (!unknown.isEmpty()) {
            replace(answers, unknown, send(EVAL, pick(checks, unknown), deadline));
        }
        List<Integer> moving = where(answers, RedisExceptions::isSlotOnTheMove);
        if (!moving.isEmpty()) {
            List<OwnerCheck> single = pick(checks, moving).stream()
                    .map(OwnerCheck::withoutFenceKey)
                    .toList();
            replace(answers, moving, send(EVAL, single, deadline));
        }
        List<Integer> forbidden = where(answers, RedisExceptions::isForbidden);
        List<CheckOutcome> instead = List.of();
        if (!forbidden.isEmpty()) {
            instead = transactions.run(pick(checks, forbidden), deadline);
            if (instead.stream().anyMatch(it -> it.failure() == null)) {
                remember(); // only now: it may have been the key that was not permitted
            }
        }
        List<CheckOutcome> findings = new ArrayList<>(checks.size());
        Iterator<CheckOutcome> fromTransactions = instead.iterator();
        for (CommandReply answer : answers) {
            findings.add(
                    RedisExceptions.isForbidden(answer.failure())
                            ? fromTransactions.next()
                            : CheckOutcome.of(() -> CheckResult.of(answer.orThrow())));
        }
        return findings;
    }

    private List<CommandReply> send(RedisCommand<?> command, List<OwnerCheck> checks, Deadline deadline) {
        List<Supplier<CommandReply>> calls = new ArrayList<>(checks.size());
        for (OwnerCheck check : checks) {
            calls.add(send(command, check, deadline));
        }
        List<CommandReply> answers = new ArrayList<>(calls.size());
        for (Supplier<CommandReply> call : calls) {
            answers.add(call.get());
        }
        return answers;
    }

    private Supplier<CommandReply> send(RedisCommand<?> command, OwnerCheck check, Deadline deadline) {
        Script script = check.script();
        String named = command == EVAL ? script.text() : script.sha();
        boolean repeatable = script != Script.RELEASE; // a second one frees nothing, and would report so
        try {
            KeyedCommand keyed = new KeyedCommand(check.key(), command, List.of(check.arguments(named)), repeatable);
            RoutedCommand call = new RoutedCommand(client, keyed, deadline);
            return call::await;
        } catch (StoreUnavailableException noMaster) { // of this key; the others may have one
            return () -> CommandReply.failed(noMaster);
        }
    }

    private static List<Integer> where(List<CommandReply> answers, Predicate<@Nullable Throwable> failure) {
        List<Integer> where = new ArrayList<>(0);
        for (int i = 0; i < answers.size(); i++) {
            if (failure.test(answers.get(i).failure())) {
                where.add(i);
            }
        }
        return where;
    }

    private static List<OwnerCheck> pick(List<OwnerCheck> checks, List<Integer> where) {
        return where.stream().map(checks::get).toList();
    }

    private static void replace(List<CommandReply> answers, List<Integer> where, List<CommandReply> by) {
        for (int i = 0; i < by.size(); i++) {
            answers.set(where.get(i), by.get(i));
        }
    }

    private void remember() {
        if (!scriptsAreForbidden) {
            scriptsAreForbidden = true;
            LOG.log(Level.INFO, "EXON0211 Redis permits no scripts; transactions are used instead");
        }
    }
}
