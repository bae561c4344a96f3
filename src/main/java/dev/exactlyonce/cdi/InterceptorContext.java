package dev.exactlyonce.cdi;

import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.rest.Bindings;
import dev.exactlyonce.rest.RequestDelivery;

/** What every interceptor needs, as one bean: an interceptor is made and injected anew for each request's resource. */
record InterceptorContext(
        SessionTurns admissions,
        Bindings bindings,
        DegradedFacts facts,
        RequestDelivery current,
        AmbientTransaction transaction) {}
