package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.Sender;
import dev.exactlyonce.sender.SenderListener;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sender.spi.CommitTrigger;
import dev.exactlyonce.sender.spi.DeadLetterStore;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.sender.spi.Transport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Puts the parts of a sending side together and starts it. An outbox and a transport are required. Not thread-safe. */
public final class SenderBuilder {
    final SenderSettings settings;
    CommitTrigger commits = CommitTrigger.AT_ONCE;
    SenderListener listener = SenderListener.NO_OP;
    InstantSource clock = InstantSource.system();
    LongSupplier nanoTime = System::nanoTime;
    RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
    Duration pause = Duration.ofMillis(500);
    private @Nullable Outbox outbox;
    private @Nullable DeadLetterStore deadLetters;
    private @Nullable Transport transport;
    private EndpointCircuitBreaker.@Nullable Factory circuits;

    public SenderBuilder(SenderSettings settings) {
        this.settings = settings;
    }

    /** Closed with the sender. */
    public SenderBuilder outbox(Outbox it) {
        this.outbox = it;
        return this;
    }

    /** Where dead letters are listed and replayed from; default: the outbox itself. Closed with the sender. */
    public SenderBuilder deadLetters(DeadLetterStore it) {
        this.deadLetters = it;
        return this;
    }

    /** Default: {@link CommitTrigger#AT_ONCE}. */
    public SenderBuilder commits(CommitTrigger it) {
        this.commits = it;
        return this;
    }

    /** Closed with the sender. */
    public SenderBuilder transport(Transport it) {
        this.transport = it;
        return this;
    }

    /** Default: as each endpoint's {@link dev.exactlyonce.sender.Endpoint.BreakerPolicy} says. */
    public SenderBuilder circuits(EndpointCircuitBreaker.Factory it) {
        this.circuits = it;
        return this;
    }

    /** Default: {@link SenderListener#NO_OP}. */
    public SenderBuilder listener(SenderListener it) {
        this.listener = it;
        return this;
    }

    /** The wall clock, which signatures and histories show. Default: the system's. */
    public SenderBuilder clock(InstantSource it) {
        this.clock = it;
        return this;
    }

    /** The clock for delays and leases. Default: {@link System#nanoTime}. */
    public SenderBuilder nanoTime(LongSupplier it) {
        this.nanoTime = it;
        return this;
    }

    /** The source of the jitter. Default: the thread's own. */
    public SenderBuilder random(RandomGenerator it) {
        this.random = it;
        return this;
    }

    Outbox outbox() {
        return Objects.requireNonNull(outbox, "outbox");
    }

    DeadLetterStore deadLetters() {
        return deadLetters == null ? outbox() : deadLetters;
    }

    Transport transport() {
        return Objects.requireNonNull(transport, "transport");
    }

    EndpointCircuitBreaker.Factory circuits() {
        return circuits == null ? PolicyCircuitBreaker.factory(nanoTime) : circuits;
    }

    /** Between a result that could not be written and the next try. Default: half a second. */
    SenderBuilder pause(Duration it) {
        this.pause = it;
        return this;
    }

    /** Starts to send. */
    public Sender open() {
        return new RunningSender(this);
    }
}
