package dev.exactlyonce.cdi;

import dev.exactlyonce.ExactlyOnceRunner;
import dev.exactlyonce.admission.AdmissionEngine;
import dev.exactlyonce.admission.IdempotencyStore;
import dev.exactlyonce.config.Settings;
import dev.exactlyonce.deploy.ExactlyOnceExtension;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.guard.Durability;
import dev.exactlyonce.guard.StoreGuard;
import dev.exactlyonce.rest.Bindings;
import dev.exactlyonce.source.Sources;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.store.sqlite.SqliteStore;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Builds the one engine of the application from its checked settings, and takes it down again. */
@ApplicationScoped
public class Wiring {
    private static final System.Logger LOG = System.getLogger(Wiring.class.getName());
    private static final int TICK_SECONDS = 1;

    /** Under the 30 s that Open Liberty gives an application to stop. */
    private static final Duration LONGEST_STOP = Duration.ofSeconds(25);

    private record Parts(
            Settings settings,
            Bindings bindings,
            IdempotencyStore store,
            DegradedFacts facts,
            StoreGuard guard,
            AdmissionEngine engine,
            ScheduledExecutorService scheduler,
            ExecutorService teller) {}

    private final @Nullable Parts parts;

    /** For the container's proxy. */
    protected Wiring() {
        this.parts = null;
    }

    @Inject
    Wiring(ExactlyOnceExtension deployed, Event<Object> events) {
        Settings settings = deployed.settings();
        CdiEvents listener = new CdiEvents(events);
        ExecutorService teller = teller();
        DegradedFacts facts =
                new DegradedFacts(InstantSource.system(), event -> teller.execute(() -> listener.durability(event)));
        IdempotencyStore store = open(settings, facts);
        StoreGuard guard = new StoreGuard(store, Outages.of(settings.store()), facts, System::nanoTime);
        AdmissionEngine engine = new AdmissionEngine(guard, settings.remember(), listener::admission, System::nanoTime);
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(daemons("exactly-once-guard"));
        var unused = scheduler.scheduleWithFixedDelay(guard::tick, TICK_SECONDS, TICK_SECONDS, TimeUnit.SECONDS);
        this.parts = new Parts(settings, deployed.bindings(), store, facts, guard, engine, scheduler, teller);
    }

    /** Tells transitions one after the other; after the stop there is nobody to tell, and nothing fails for it. */
    private static ExecutorService teller() {
        return new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons("exactly-once-events"),
                new ThreadPoolExecutor.DiscardPolicy());
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private static IdempotencyStore open(Settings settings, DegradedFacts facts) {
        return switch (settings.store()) {
            case SQLITE -> {
                if (SqliteStore.isDriverThere()) {
                    yield new SqliteStore(settings.sqlite().orElseThrow(), InstantSource.system());
                }
                facts.standIn(Outages.NO_DRIVER);
                yield memory(facts);
            }
            case REDIS -> throw new IllegalStateException("the store redis is not built yet");
            case MEMORY -> memory(facts);
        };
    }

    private static IdempotencyStore memory(DegradedFacts facts) {
        return new MemoryStore(
                MemoryStore.DEFAULT_CAPACITY,
                InstantSource.system(),
                until -> facts.lost(
                        "memory idempotency store is full (oldest records forgotten)",
                        "use exactlyonce.store=sqlite, or a shorter exactlyonce.ttl",
                        until));
    }

    void start(@Observes Startup event) {
        Parts it = parts();
        it.guard().check();
        LOG.log(
                Level.INFO,
                "EXON0502 {0}: store {1}, sources {2}",
                it.settings().application(),
                it.settings().store().word(),
                it.settings().sources().names());
        if (!it.settings().sources().names().isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "EXON0503 deliveries of these sources are not verified by a signature: {0}",
                    it.settings().sources().names());
        }
    }

    @PreDestroy
    void stop() {
        Parts it = parts();
        awaitHandlers(it.engine());
        it.scheduler().shutdownNow();
        it.guard().tick();
        it.store().close();
        it.teller().shutdownNow();
    }

    /** An application may be removed while handlers run: what they do must still be recorded. */
    private static void awaitHandlers(AdmissionEngine engine) {
        try {
            if (!engine.awaitQuiet(LONGEST_STOP)) {
                LOG.log(
                        Level.WARNING,
                        "EXON0509 handlers still run after {0}; what they do will not be recorded, and runs again",
                        LONGEST_STOP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Produces
    @Singleton
    AdmissionEngine engine() {
        return parts().engine();
    }

    @Produces
    @Singleton
    Bindings bindings() {
        return parts().bindings();
    }

    @Produces
    @Singleton
    Sources sources() {
        return parts().settings().sources();
    }

    @Produces
    @Singleton
    DegradedFacts facts() {
        return parts().facts();
    }

    @Produces
    @Singleton
    Durability durability() {
        Settings settings = parts().settings();
        return new Durability(
                settings.application(),
                settings.store().word(),
                settings.downWhenDegraded(),
                parts().facts(),
                parts().guard());
    }

    @Produces
    @Singleton
    ExactlyOnceRunner runner(AmbientTransaction transaction) {
        return new EngineRunner(parts().engine(), parts().settings().sources(), transaction);
    }

    @Produces
    @Singleton
    AmbientTransaction transaction() {
        return new AmbientTransaction();
    }

    private Parts parts() {
        if (parts == null) {
            throw new IllegalStateException("a proxy has no parts");
        }
        return parts;
    }
}
