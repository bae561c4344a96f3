package dev.exactlyonce.cdi;

import dev.exactlyonce.Delivery;
import dev.exactlyonce.Turn;
import dev.exactlyonce.rest.RequestDelivery;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.function.Function;

/** The injectable delivery: looks at the current request each time, and turns "no request" into the promised exception. */
@ApplicationScoped
public class InjectedDelivery implements Delivery {
    private final RequestDelivery current;

    @Inject
    InjectedDelivery(RequestDelivery current) {
        this.current = current;
    }

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected InjectedDelivery() {
        this(null);
    }

    @Override
    public String source() {
        return ask(it -> it.delivery().source().name());
    }

    @Override
    public String key() {
        return ask(it -> it.delivery().key().value());
    }

    @Override
    public Duration leaseLeft() {
        return ask(it -> it.lease().left());
    }

    @Override
    public boolean stillOwned() {
        return ask(it -> it.lease().stillOwned());
    }

    @Override
    public long fence() {
        return ask(it -> it.lease().fence());
    }

    @Override
    public void onLost(Runnable action) {
        ask(RequestDelivery::lease).onLost(action);
    }

    @Override
    public boolean isDuplicate() {
        return ask(it -> it.lease().isDuplicate());
    }

    @Override
    public Turn turn() {
        return ask(RequestDelivery::turn);
    }

    private <T> T ask(Function<RequestDelivery, T> question) {
        try {
            return question.apply(current);
        } catch (ContextNotActiveException outsideARequest) {
            throw RequestDelivery.noDelivery();
        }
    }
}
