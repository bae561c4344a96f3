package dev.exactlyonce.store.redis;

import dev.exactlyonce.admission.StoreUnavailableException;
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

    private final Client client;
    private final Transactions transactions;
    private volatile boolean scriptsAreForbidden;

    OwnerChecks(Client client, int replicas) {
        this.client = client;
        this.transactions = new Transactions(client, replicas);
    }

    Found run(Check check, Deadline deadline) {
        return run(List.of(check), deadline).get(0).orThrow();
    }

    /** Runs each by itself, all in one round trip; what they found stands in the order of the checks. */
    List<Finding> run(List<Check> checks, Deadline deadline) {
        if (scriptsAreForbidden) {
            return transactions.run(checks, deadline);
        }
        List<Answer> answers = send(EVALSHA, checks, deadline);
        List<Integer> unknown = where(answers, Trouble::isUnknownScript);
        if (!unknown.isEmpty()) {
            replace(answers, unknown, send(EVAL, pick(checks, unknown), deadline));
        }
        List<Integer> forbidden = where(answers, Trouble::isForbidden);
        List<Finding> instead = List.of();
        if (!forbidden.isEmpty()) {
            instead = transactions.run(pick(checks, forbidden), deadline);
            if (instead.stream().anyMatch(it -> it.trouble() == null)) {
                remember(); // only now: it may have been the key that was not permitted
            }
        }
        List<Finding> findings = new ArrayList<>(checks.size());
        Iterator<Finding> fromTransactions = instead.iterator();
        for (Answer answer : answers) {
            findings.add(
                    Trouble.isForbidden(answer.trouble())
                            ? fromTransactions.next()
                            : Finding.of(() -> Found.of(answer.orThrow())));
        }
        return findings;
    }

    private List<Answer> send(RedisCommand<?> command, List<Check> checks, Deadline deadline) {
        List<Supplier<Answer>> calls = new ArrayList<>(checks.size());
        for (Check check : checks) {
            calls.add(send(command, check, deadline));
        }
        List<Answer> answers = new ArrayList<>(calls.size());
        for (Supplier<Answer> call : calls) {
            answers.add(call.get());
        }
        return answers;
    }

    private Supplier<Answer> send(RedisCommand<?> command, Check check, Deadline deadline) {
        Script script = check.script();
        String named = command == EVAL ? script.text() : script.sha();
        boolean repeatable = script != Script.RELEASE; // a second one frees nothing, and would say so
        try {
            Call call = new Call(client, check.key(), repeatable, deadline, command, check.arguments(named));
            return call::await;
        } catch (StoreUnavailableException noMaster) { // of this key; the others may have one
            return () -> Answer.failed(noMaster);
        }
    }

    private static List<Integer> where(List<Answer> answers, Predicate<@Nullable Throwable> trouble) {
        List<Integer> where = new ArrayList<>(0);
        for (int i = 0; i < answers.size(); i++) {
            if (trouble.test(answers.get(i).trouble())) {
                where.add(i);
            }
        }
        return where;
    }

    private static List<Check> pick(List<Check> checks, List<Integer> where) {
        return where.stream().map(checks::get).toList();
    }

    private static void replace(List<Answer> answers, List<Integer> where, List<Answer> by) {
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
