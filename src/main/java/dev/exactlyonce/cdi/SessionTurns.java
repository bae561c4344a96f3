package dev.exactlyonce.cdi;

import dev.exactlyonce.Turn;
import dev.exactlyonce.TurnLockUnavailableException;
import dev.exactlyonce.TurnTimeoutException;
import dev.exactlyonce.admission.Admission;
import dev.exactlyonce.admission.AdmissionEngine;
import dev.exactlyonce.admission.PreparedDelivery;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.rest.RequestDelivery;
import dev.exactlyonce.rest.Responses;
import dev.exactlyonce.turn.TurnLocks;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Admits deliveries in the turn of their session: the turn first, then the claim, everywhere in this order. */
final class SessionTurns {
    private final AdmissionEngine engine;
    private final Supplier<TurnLocks> turns;

    SessionTurns(AdmissionEngine engine, Supplier<TurnLocks> turns) {
        this.engine = engine;
        this.turns = turns;
    }

    @Nullable
    Object admit(PreparedDelivery delivery, ResourceCall handler, RequestDelivery current) throws Exception {
        if (delivery.session().isEmpty()) {
            return engine.admit(delivery, handler).fold(handler);
        }
        Optional<Admission<@Nullable Object>> known = engine.knownRefusal(delivery);
        if (known.isPresent()) {
            return known.get().fold(handler);
        }
        Turn turn = take(delivery.session().get(), delivery);
        boolean isEnded = true;
        try {
            current.hold(turn);
            Object result = engine.admit(delivery, handler).fold(handler);
            if (result instanceof CompletionStage<?> stage) {
                isEnded = false;
                var unused = stage.whenComplete((value, failure) -> turn.close());
            }
            return result;
        } finally {
            if (isEnded) {
                turn.close();
            }
        }
    }

    private Turn take(String session, PreparedDelivery delivery) {
        try {
            return turns.get().takeOr(session, delivery.source().onOutage() == OnOutage.REJECT);
        } catch (TurnTimeoutException busy) {
            throw Responses.refuse(Responses.busySession());
        } catch (TurnLockUnavailableException away) {
            throw Responses.refuse(Responses.unavailable());
        }
    }
}
