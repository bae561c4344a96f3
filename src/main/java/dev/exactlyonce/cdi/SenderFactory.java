package dev.exactlyonce.cdi;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.config.SenderConfiguration;
import dev.exactlyonce.config.Settings;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.sender.CommitTrigger;
import dev.exactlyonce.sender.Dispatcher;
import dev.exactlyonce.sender.Outbox;
import dev.exactlyonce.sender.Sender;
import dev.exactlyonce.sender.SenderListener;
import dev.exactlyonce.sender.breaker.FailsafeCircuitBreaker;
import dev.exactlyonce.sender.http.ApacheTransport;
import dev.exactlyonce.sender.redis.RedisDeadLetterOutbox;
import dev.exactlyonce.sender.sql.SqlOutbox;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** Puts the sending side together. Apart, since what it names is only there where something is sent. */
final class SenderFactory {
    private SenderFactory() {}

    static Sender open(Settings settings, AmbientTransaction transaction, SenderListener listener) {
        SenderConfiguration sending = settings.sending();
        Outbox outbox = sending.dataSource()
                .<Outbox>map(name -> SqlOutbox.postgres(dataSource(name), transaction::isActive))
                .orElseGet(() -> ofThisReplica(sending, StoreFactory.redis(settings)));
        CommitTrigger commits =
                sending.dataSource().isPresent() ? new CommitWithJta(transaction) : CommitTrigger.AT_ONCE;
        return Sender.open(
                sending.settings(),
                new Dispatcher.DispatcherParts(
                        outbox,
                        commits,
                        new ApacheTransport(),
                        FailsafeCircuitBreaker.maker(System::nanoTime),
                        listener,
                        InstantSource.system(),
                        System::nanoTime,
                        () -> ThreadLocalRandom.current().nextLong()));
    }

    private record CommitWithJta(AmbientTransaction transaction) implements CommitTrigger {
        @Override
        public boolean arePending() {
            return transaction.isActive();
        }

        @Override
        public void onEnd(Consumer<Boolean> then) {
            transaction.onEnd(then);
        }
    }

    /** Replicas share a database and the dead letters in it, but not a file: they share its dead letters through Redis. */
    private static Outbox ofThisReplica(SenderConfiguration sending, Optional<RedisSettings> redis) {
        Outbox file = SqlOutbox.sqlite(sending.sqlite().orElseThrow(), MachineClocks.system());
        if (redis.isEmpty()) {
            return file;
        }
        return RedisDeadLetterOutbox.over(file, redis.get());
    }

    @SuppressWarnings("BanJNDI") // a name of the configuration, of the characters that a JNDI name of the server has
    private static DataSource dataSource(String name) {
        try {
            return (DataSource) new InitialContext().lookup(name);
        } catch (NamingException | ClassCastException fault) {
            throw new IllegalStateException("the DataSource was there when the application was deployed", fault);
        }
    }
}
