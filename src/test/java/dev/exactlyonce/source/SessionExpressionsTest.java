package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.SentRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionExpressionsTest {
    private static final KeyExpressions KEYS = KeyExpressions.parse(List.of("header:Id"), false);

    private static Resolution resolve(SentRequest request, boolean missingIsOwn, String... expressions) {
        return SessionExpressions.parse(List.of(expressions), missingIsOwn)
                .beside(KEYS)
                .resolve(request, new byte[0]);
    }

    private static SentRequest request() {
        return new SentRequest().withHeader("Id", "evt-1");
    }

    @Test
    void theSessionIsFoundBesideTheKey() {
        SentRequest request = request().withHeader("Tenant", "acme").withQuery("customer", "42");
        assertThat(resolve(request, false, "header:Tenant", "query:customer"))
                .isEqualTo(new Resolution.KeyParts(List.of("evt-1")).inSession(List.of("acme", "42")));
    }

    @Test
    void aMissingSessionIsRefusedAndNamesWhatWasLookedFor() {
        assertThat(resolve(request(), false, "query:customer"))
                .isEqualTo(new Resolution.NoKey("No session: looked for query:customer."));
    }

    @Test
    void aMissingSessionMayBeOneOfItsOwn() {
        assertThat(resolve(request(), true, "query:customer")).isEqualTo(new Resolution.KeyParts(List.of("evt-1")));
    }

    @Test
    void aMalformedSessionIsRefusedEvenWhereAMissingOneIsNot() {
        assertThat(resolve(request().withHeader("Tenant", "a\u0001"), true, "header:Tenant"))
                .isEqualTo(new Resolution.NoKey("The session in header:Tenant has a control character."));
    }

    @Test
    void aMissingKeyComesFirst() {
        assertThat(resolve(new SentRequest(), true, "query:customer"))
                .isEqualTo(new Resolution.NoKey("No idempotency key: looked for header:Id."));
    }

    @Test
    void aSessionNeedsAnExpression() {
        assertThatThrownBy(() -> SessionExpressions.parse(List.of(), false))
                .hasMessage("the session needs at least one expression");
    }
}
