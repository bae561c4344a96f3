package dev.exactlyonce.deploy;

import dev.exactlyonce.rest.Bindings;
import dev.exactlyonce.rest.ChallengeFilter;
import dev.exactlyonce.rest.UrlValidationFilter;
import dev.exactlyonce.source.Sources;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;

/** Puts the answers to senders' questions before matching and behind it, where any source has one. */
public class ChallengeFeature implements Feature {
    @Override
    public boolean configure(FeatureContext context) {
        Sources sources = CDI.current().select(Sources.class).get();
        Bindings bindings = CDI.current().select(Bindings.class).get();
        if (sources.anyHasAChallenge()) {
            context.register(new ChallengeFilter(bindings, sources));
        }
        if (sources.anyValidatesItsUrl()) {
            context.register(new UrlValidationFilter(bindings, sources));
        }
        return sources.anyHasAChallenge() || sources.anyValidatesItsUrl();
    }
}
