package dev.exactlyonce.cdi;

import dev.exactlyonce.TurnLock;
import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.common.SteadyClock;
import dev.exactlyonce.config.Settings;
import dev.exactlyonce.config.TurnConfiguration;
import dev.exactlyonce.deploy.ExactlyOnceExtension;
import dev.exactlyonce.event.TurnLockEvent;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.turn.LocalTurns;
import dev.exactlyonce.turn.TurnLocks;
import dev.exactlyonce.turn.TurnOutage;
import dev.exactlyonce.turn.TurnStore;
import dev.exactlyonce.turn.redis.RedisTurns;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Builds the turn lock where it is used, and takes it down again. */
@ApplicationScoped
public class TurnLockProducer {
    private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

    private final @Nullable Settings settings;
    private final boolean isUsed;
    private final @Nullable Event<Object> events;
    private @Nullable TurnLocks turns;
    private @Nullable BackgroundThreads background;
    private @Nullable TurnOutage outage;

    /** For the container's proxy. */
    protected TurnLockProducer() {
        this.settings = null;
        this.isUsed = false;
        this.events = null;
    }

    @Inject
    TurnLockProducer(ExactlyOnceExtension deployed, Event<Object> events) {
        this.settings = deployed.settings();
        this.isUsed = deployed.isTurnLockInjected() || deployed.bindings().haveSessions();
        this.events = events;
    }

    /** Where it is used it connects at once: the first turn would have to wait for the connection. */
    void start(@Observes Startup event) {
        if (isUsed) {
            opened();
        }
    }

    @Produces
    @Singleton
    TurnLock turns() {
        return opened();
    }

    @Produces
    @Singleton
    synchronized TurnOutage outage() {
        if (outage == null) {
            outage = new TurnOutage(
                    "turn_lock:redis",
                    "check Redis and the exactlyonce.turn-lock settings",
                    new SteadyClock(MachineClocks.system()),
                    this::publish);
        }
        return outage;
    }

    private void publish(TurnLockEvent event) {
        background().inOrder().execute(() -> there(events).fire(event));
    }

    private synchronized BackgroundThreads background() {
        if (background == null) {
            background = new BackgroundThreads();
        }
        return background;
    }

    /** Opens it where it has not been yet. */
    public synchronized TurnLocks opened() {
        if (turns == null) {
            turns = open(there(settings));
        }
        return turns;
    }

    private TurnLocks open(Settings all) {
        TurnConfiguration configured = all.turns();
        TurnLocks opened = new TurnLocks(
                new LocalTurns(InstantSource.system(), System::nanoTime),
                configured.redis().map(TurnLockProducer::inRedis),
                outage(),
                new TurnLocks.TurnLimits(
                        configured.ttl(), configured.longestWait(), all.maxHold(), configured.rejectInOutage()),
                System::nanoTime,
                background().callbacks());
        Duration third = configured.ttl().dividedBy(3);
        background()
                .every("exactly-once-turns", third.compareTo(LONGEST_TICK) < 0 ? third : LONGEST_TICK, opened::tick);
        return opened;
    }

    private static TurnStore inRedis(RedisSettings redis) {
        return new RedisTurns(redis);
    }

    @PreDestroy
    synchronized void stop() {
        try {
            if (background != null) {
                background.close();
            }
        } finally {
            if (turns != null) {
                turns.close();
            }
        }
    }

    private static <T> T there(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("a proxy has no parts");
        }
        return value;
    }
}
