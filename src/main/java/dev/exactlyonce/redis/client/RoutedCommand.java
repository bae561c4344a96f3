package dev.exactlyonce.redis.client;

import dev.exactlyonce.redis.Deadline;
import org.redisson.client.RedisAskException;
import org.redisson.client.RedisRedirectException;
import org.redisson.connection.MasterSlaveEntry;

/**
 * One command for the master of its key. It is repeated once when its connection was cut, and follows a Cluster's
 * redirections; everything else is its caller's to decide.
 */
public final class RoutedCommand {
    private static final int MOST_REDIRECTIONS = 3;

    private final PipelinedClient client;
    private final KeyedCommand command;
    private final Deadline deadline;
    private SharedConnection connection;
    private QueuedCommand operation;

    /** Sends the command, and waits for nothing but the client's first connection. */
    public RoutedCommand(PipelinedClient client, KeyedCommand command, Deadline deadline) {
        this.client = client;
        this.command = command;
        this.deadline = deadline;
        this.connection = client.connectionTo(client.masterOf(command.key(), deadline));
        this.operation = command.queued(false);
        connection.submit(operation);
    }

    public CommandReply await() {
        boolean repeated = false;
        for (int redirections = 0; ; ) {
            CommandReply answer = connection.await(operation, deadline);
            if (answer.failure() instanceof SharedConnection.Cut && !repeated && mayRepeat()) {
                repeated = true;
                send(connection.master(), false);
            } else if (answer.failure() instanceof RedisRedirectException elsewhere) {
                MasterSlaveEntry named = client.masterAt(elsewhere.getUrl());
                if (named == null || ++redirections > MOST_REDIRECTIONS) {
                    return answer;
                }
                send(named, elsewhere instanceof RedisAskException);
            } else {
                return answer;
            }
        }
    }

    private boolean mayRepeat() {
        return (command.isRepeatable() || !operation.wasSent()) && !deadline.isOver();
    }

    private void send(MasterSlaveEntry master, boolean asking) {
        connection = client.connectionTo(master);
        operation = command.queued(asking);
        connection.submit(operation);
    }
}
