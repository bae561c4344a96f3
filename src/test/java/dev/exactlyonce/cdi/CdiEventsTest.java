package dev.exactlyonce.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.event.DeliveryEvent;
import dev.exactlyonce.event.DeliverySuperseded;
import dev.exactlyonce.event.DurabilityEvent;
import dev.exactlyonce.event.StoreDegraded;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.NotificationOptions;
import jakarta.enterprise.util.TypeLiteral;
import java.lang.annotation.Annotation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CdiEventsTest {
    private static final DeliveryEvent SUPERSEDED = new DeliverySuperseded("github", "github:e:1");
    private static final DurabilityEvent DEGRADED = new StoreDegraded("reason", Instant.EPOCH, "hint");

    /** A container with one observer. */
    private record Observed(Consumer<Object> observer) implements Event<Object> {
        @Override
        public void fire(Object event) {
            observer.accept(event);
        }

        @Override
        public <U> CompletionStage<U> fireAsync(U event) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <U> CompletionStage<U> fireAsync(U event, NotificationOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Event<Object> select(Annotation... qualifiers) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <U> Event<U> select(Class<U> subtype, Annotation... qualifiers) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <U> Event<U> select(TypeLiteral<U> subtype, Annotation... qualifiers) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void outcomesAndTransitionsAreFiredAsTheyAre() {
        List<Object> seen = new ArrayList<>();
        CdiEvents events = new CdiEvents(new Observed(seen::add));
        events.admission(SUPERSEDED);
        events.durability(DEGRADED);
        assertThat(seen).containsExactly(SUPERSEDED, DEGRADED);
    }

    @Test
    void anObserverThatThrowsChangesNothing() {
        List<Object> seen = new ArrayList<>();
        for (Throwable thrown : List.of(new IllegalStateException("observer"), new NoClassDefFoundError("observer"))) {
            CdiEvents events = new CdiEvents(new Observed(event -> {
                seen.add(event);
                if (thrown instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) thrown;
            }));
            events.admission(SUPERSEDED);
            events.durability(DEGRADED);
        }
        assertThat(seen).hasSize(4);
    }
}
