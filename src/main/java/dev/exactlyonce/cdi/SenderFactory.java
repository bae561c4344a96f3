package dev.exactlyonce.cdi;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.config.SenderConfiguration;
import dev.exactlyonce.config.Settings;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.sender.Sender;
import dev.exactlyonce.sender.SenderListener;
import dev.exactlyonce.sender.dispatch.SenderBuilder;
import dev.exactlyonce.sender.http.ApacheTransport;
import dev.exactlyonce.sender.redis.RedisDeadLetters;
import dev.exactlyonce.sender.spi.CommitTrigger;
import dev.exactlyonce.sender.spi.DeadLetterStore;
import dev.exactlyonce.sender.sql.SqlOutbox;
import java.util.function.Consumer;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** Puts the sending side together. Apart, since what it names is only there where something is sent. */
final class SenderFactory {
    private SenderFactory() {}

    static Sender open(Settings settings, AmbientTransaction transaction, SenderListener listener) {
        SenderConfiguration sending = settings.sending();
        SenderBuilder sender = new SenderBuilder(sending.settings())
                .transport(new ApacheTransport())
                .listener(listener);
        if (sending.dataSource().isPresent()) {
            DataSource database = dataSource(sending.dataSource().get());
            return sender.outbox(SqlOutbox.postgres(database, transaction::isActive))
                    .commits(new CommitWithJta(transaction))
                    .open();
        }
        SqlOutbox file = SqlOutbox.sqlite(sending.sqlite().orElseThrow(), MachineClocks.system());
        StoreFactory.redis(settings).ifPresent(redis -> sender.deadLetters(sharedDeadLetters(file, redis)));
        return sender.outbox(file).open();
    }

    /** Replicas share a database and its dead letters, but not a file: they share its dead letters through Redis. */
    private static DeadLetterStore sharedDeadLetters(SqlOutbox file, RedisSettings redis) {
        return RedisDeadLetters.over(file, redis);
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

    @SuppressWarnings("BanJNDI") // a name of the configuration, of the characters that a JNDI name of the server has
    private static DataSource dataSource(String name) {
        try {
            return (DataSource) new InitialContext().lookup(name);
        } catch (NamingException | ClassCastException fault) {
            throw new IllegalStateException("the DataSource was there when the application was deployed", fault);
        }
    }
}
