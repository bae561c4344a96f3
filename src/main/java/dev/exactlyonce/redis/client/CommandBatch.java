package dev.exactlyonce.redis.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.redisson.client.RedisConnection;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.CommandsData;
import org.redisson.client.protocol.RedisCommands;

/** Operations that leave together in one write, and a question about the replicas of what came back before. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure here closes the channel, which is handled
final class CommandBatch {
    private final List<QueuedCommand> operations;
    private final Replication replication;
    private final Replication.Question question;
    private final long sentNanos = System.nanoTime();

    CommandBatch(List<QueuedCommand> operations, Replication replication) {
        this.operations = operations;
        this.replication = replication;
        this.question = replication.ask();
    }

    boolean isEmpty() {
        return operations.isEmpty() && !question.isNeeded();
    }

    long sentNanos() {
        return sentNanos;
    }

    /** @param completed run when every reply has come, by the thread that reads them */
    void send(RedisConnection connection, Runnable completed) {
        if (replication.isWanted()) {
            sendForReplicas(connection, completed);
        } else if (operations.size() > 1 || operations.get(0).isAsking()) {
            sendTogether(connection, completed);
        } else {
            QueuedCommand only = operations.get(0);
            only.reply().whenComplete((value, failure) -> completed.run());
            connection.send(only.into(only.reply()));
        }
    }

    private void sendTogether(RedisConnection connection, Runnable completed) {
        List<CommandData<?, ?>> commands = new ArrayList<>(operations.size());
        for (QueuedCommand operation : operations) {
            add(operation, operation.reply(), commands);
        }
        CompletableFuture<Void> all = new CompletableFuture<>();
        all.whenComplete((done, oneFailed) -> {
            for (QueuedCommand operation : operations) {
                if (operation
                        .reply()
                        .completeExceptionally(new SharedConnection.Cut())) { // replies that do not fit the commands
                    connection.closeAsync();
                }
            }
            completed.run();
        });
        connection.send(new CommandsData(all, commands, false, false));
    }

    private void sendForReplicas(RedisConnection connection, Runnable completed) {
        List<CommandData<?, ?>> commands = new ArrayList<>(operations.size() + 1);
        List<CompletableFuture<Object>> answers = new ArrayList<>(operations.size());
        for (QueuedCommand operation : operations) {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            answers.add(answer);
            add(operation, answer, commands);
        }
        if (question.isNeeded()) {
            commands.add(question.command());
        }
        CompletableFuture<Void> all = new CompletableFuture<>();
        all.whenComplete((done, oneFailed) -> {
            question.answered();
            for (int i = 0; i < answers.size(); i++) {
                if (answers.get(i).completeExceptionally(new SharedConnection.Cut())) {
                    connection.closeAsync();
                }
                replication.take(operations.get(i), answers.get(i));
            }
            completed.run();
        });
        connection.send(new CommandsData(all, commands, false, false));
    }

    private static void add(
            QueuedCommand operation, CompletableFuture<Object> answer, List<CommandData<?, ?>> commands) {
        if (operation.isAsking()) {
            CompletableFuture<Void> unused = new CompletableFuture<>();
            commands.add(new CommandData<>(unused, null, RedisCommands.ASKING, new Object[0]));
        }
        commands.add(operation.into(answer));
    }

    void fail(Throwable failure) {
        operations.forEach(it -> it.reply().completeExceptionally(failure));
        question.fail(failure);
    }
}
