package dev.exactlyonce.cdi;

import dev.exactlyonce.config.Sending;
import dev.exactlyonce.sender.Commits;
import dev.exactlyonce.sender.Dispatcher;
import dev.exactlyonce.sender.Outbox;
import dev.exactlyonce.sender.Sender;
import dev.exactlyonce.sender.SenderListener;
import dev.exactlyonce.sender.breaker.FailsafeCircuit;
import dev.exactlyonce.sender.http.ApacheTransport;
import dev.exactlyonce.sender.sql.SqlOutbox;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** Puts the sending side together. Apart, since what it names is only there where something is sent. */
final class SenderParts {
    private SenderParts() {}

    static Sender open(Sending sending, AmbientTransaction transaction, SenderListener listener) {
        Outbox outbox = sending.dataSource()
                .map(name -> SqlOutbox.postgres(dataSource(name), transaction::isActive))
                .orElseGet(() -> SqlOutbox.sqlite(sending.sqlite().orElseThrow(), InstantSource.system()));
        Commits commits = sending.dataSource().isPresent() ? new Joined(transaction) : Commits.AT_ONCE;
        return Sender.open(
                sending.settings(),
                new Dispatcher.Parts(
                        outbox,
                        commits,
                        new ApacheTransport(),
                        FailsafeCircuit.maker(System::nanoTime),
                        listener,
                        InstantSource.system(),
                        System::nanoTime,
                        () -> ThreadLocalRandom.current().nextLong()));
    }

    private record Joined(AmbientTransaction transaction) implements Commits {
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
