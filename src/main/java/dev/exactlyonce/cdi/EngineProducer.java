package dev.exactlyonce.cdi;

import dev.exactlyonce.ExactlyOnceRunner;
import dev.exactlyonce.admission.AdmissionEngine;
import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.common.SteadyClock;
import dev.exactlyonce.config.Settings;
import dev.exactlyonce.deploy.ExactlyOnceExtension;
import dev.exactlyonce.event.LeaseLost;
import dev.exactlyonce.guard.ClockWatch;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.guard.Durability;
import dev.exactlyonce.guard.StoreGuard;
import dev.exactlyonce.rest.Bindings;
import dev.exactlyonce.rest.RequestDelivery;
import dev.exactlyonce.source.Sources;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the one engine of the application from its checked settings, and takes it down again. */
@ApplicationScoped
public class EngineProducer {
    private static final System.Logger LOG = System.getLogger(EngineProducer.class.getName());
    private static final Duration TICK = Duration.ofSeconds(1);

    /** Under the 30 s that Open Liberty gives an application to stop. */
    private static final Duration LONGEST_STOP = Duration.ofSeconds(25);

    /** Shorter leases are renewed as often as this, and may end all the same. */
    private static final Duration SHORTEST_RENEWAL = Duration.ofMillis(10);

    private record EngineParts(
            Settings settings,
            Bindings bindings,
            DegradedFacts facts,
            StoreFactory stores,
            AdmissionEngine engine,
            BackgroundThreads background) {
        StoreGuard guard() {
            return stores.guard();
        }

        /** A third of the shortest lease. */
        Duration renewEvery() {
            Duration third = settings.sources().shortestLease().dividedBy(3);
            return third.compareTo(SHORTEST_RENEWAL) < 0 ? SHORTEST_RENEWAL : third;
        }
    }

    private final @Nullable EngineParts parts;

    /** For the container's proxy. */
    protected EngineProducer() {
        this.parts = null;
    }

    @Inject
    EngineProducer(ExactlyOnceExtension deployed, Event<Object> events) {
        Settings settings = deployed.settings();
        CdiEvents listener = new CdiEvents(events);
        BackgroundThreads background = new BackgroundThreads();
        InstantSource clock = new SteadyClock(MachineClocks.system());
        DegradedFacts facts =
                new DegradedFacts(clock, event -> background.inOrder().execute(() -> listener.durability(event)));
        StoreFactory stores = StoreFactory.of(settings, facts, clock);
        AdmissionEngine engine = new AdmissionEngine(
                stores.guard(),
                new AdmissionEngine.Limits(settings.remember(), settings.maxHold()),
                event -> {
                    if (event instanceof LeaseLost) { // reported by the renewals, which must not wait
                        background.inOrder().execute(() -> listener.admission(event));
                    } else {
                        listener.admission(event);
                    }
                },
                System::nanoTime,
                background.callbacks());
        this.parts = new EngineParts(settings, deployed.bindings(), facts, stores, engine, background);
    }

    void start(@Observes Startup event) {
        EngineParts it = parts();
        it.guard().check();
        ClockWatch clock = new ClockWatch(MachineClocks.system(), it.facts());
        it.background().every("exactly-once-guard", TICK, () -> {
            clock.look();
            it.guard().tick(it.engine()::remembered, it.engine()::renewAllLeases);
        });
        it.background()
                .every(
                        "exactly-once-renewals",
                        it.renewEvery(),
                        () -> it.engine().renewLeases(it.renewEvery()));
        LOG.log(
                Level.INFO,
                "EXON0502 {0}: store {1}, sources {2}",
                it.settings().application(),
                it.settings().store().name(),
                it.settings().sources().names());
        Set<String> unsigned = it.settings().sources().unsigned();
        if (!unsigned.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "EXON0503 deliveries of these sources are not verified by a signature: {0}",
                    unsigned);
        }
        it.settings().warnings().forEach(warning -> LOG.log(Level.WARNING, "EXON0516 {0}", warning));
    }

    @PreDestroy
    void stop() {
        EngineParts it = parts();
        try {
            awaitHandlers(it);
        } finally {
            try {
                it.background().close();
            } finally {
                flushAtShutdown(it);
            }
        }
    }

    private static void flushAtShutdown(EngineParts it) {
        try (StoreFactory stores = it.stores()) {
            stores.guard().flushPending();
        } catch (RuntimeException | Error fault) {
            LOG.log(Level.ERROR, "EXON0515 pending store writes could not be flushed at shutdown and are lost", fault);
        }
    }

    /** An application may be removed while handlers run: what they do must still be recorded. Their leases are renewed. */
    private static void awaitHandlers(EngineParts it) {
        try {
            if (!it.engine().awaitQuiet(LONGEST_STOP)) {
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
                settings.store().name(),
                settings.downWhenDegraded(),
                parts().facts(),
                parts().guard());
    }

    @Produces
    @Singleton
    ExactlyOnceRunner runner(AmbientTransaction transaction, RequestDelivery current) {
        return new EngineRunner(parts().engine(), parts().settings().sources(), transaction, current);
    }

    @Produces
    @Singleton
    InterceptorContext entrance(RequestDelivery current, AmbientTransaction transaction, TurnLockProducer turns) {
        SessionTurns admissions = new SessionTurns(parts().engine(), turns::opened);
        return new InterceptorContext(admissions, parts().bindings(), parts().facts(), current, transaction);
    }

    @Produces
    @Singleton
    AmbientTransaction transaction() {
        return new AmbientTransaction();
    }

    private EngineParts parts() {
        if (parts == null) {
            throw new IllegalStateException("a proxy has no parts");
        }
        return parts;
    }
}
