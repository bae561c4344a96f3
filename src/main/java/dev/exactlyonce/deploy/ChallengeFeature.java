package dev.exactlyonce.deploy;

import dev.exactlyonce.rest.Bindings;
import dev.exactlyonce.rest.ChallengeFilter;
import dev.exactlyonce.source.Sources;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;

/** Puts the answer to GET challenges before matching, where any source has one. */
public class ChallengeFeature implements Feature {
    @Override
    public boolean configure(FeatureContext context) {
        Sources sources = CDI.current().select(Sources.class).get();
        if (!sources.anyHasAChallenge()) {
            return false;
        }
        context.register(
                new ChallengeFilter(CDI.current().select(Bindings.class).get(), sources));
        return true;
    }
}
