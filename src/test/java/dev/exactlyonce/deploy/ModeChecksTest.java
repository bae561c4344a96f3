package dev.exactlyonce.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.Mode;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.Duplicates;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.rest.Binding;
import dev.exactlyonce.source.KeyExpressions;
import dev.exactlyonce.source.MessageFilters;
import dev.exactlyonce.source.SignedValues;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.Sources;
import dev.exactlyonce.source.UrlValidation;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ModeChecksTest {
    @SuppressWarnings("unused") // looked up by its name
    static class Resource {
        public void receive(String body) {}
    }

    private static SourceSettings source(String name, Mode mode) {
        SourcePolicy policy = new SourcePolicy(
                        name,
                        KeyExpressions.parse(List.of("header:Key"), false),
                        DeliveryVerifier.NONE,
                        Duration.ofMinutes(1),
                        Duration.ofHours(1),
                        1024,
                        FingerprintBy.NONE,
                        RecordOn.SUCCESS,
                        OnOutage.ADMIT,
                        Duplicates.ACK)
                .withMode(mode);
        return new SourceSettings(
                policy,
                409,
                false,
                0,
                MessageFilters.NONE,
                false,
                Optional.empty(),
                UrlValidation.NONE,
                SignedValues.NONE,
                false);
    }

    private static List<String> faults(String source, Mode ofMethod, Mode ofSource) throws Exception {
        Method method = Resource.class.getDeclaredMethod("receive", String.class);
        Binding binding = new Binding(
                source,
                Optional.empty(),
                Optional.empty(),
                "POST",
                new Binding.Paths("", "", Set.of(), Set.of()),
                ofMethod);
        BindingFaults faults = new BindingFaults();
        ModeChecks.find(
                Map.of(Resource.class, Map.of(method, binding)),
                new Sources(Map.of("demo", source("demo", ofSource))),
                "sqlite",
                faults);
        return faults.all();
    }

    @Test
    void aModeThatIsNotBuiltNamesItsSetting() throws Exception {
        assertThat(faults("demo", Mode.SOURCE, Mode.INBOX))
                .singleElement()
                .asString()
                .contains("Resource.receive", "exactlyonce.source.demo.mode", "mode=inbox", "not available yet");
    }

    @Test
    void aModeThatIsNotBuiltNamesItsAnnotation() throws Exception {
        assertThat(faults("demo", Mode.INBOX, Mode.INLINE))
                .singleElement()
                .asString()
                .contains("the annotation for source demo");
    }

    @Test
    void aMethodsOwnModeReplacesTheSources() throws Exception {
        assertThat(faults("demo", Mode.INLINE, Mode.INBOX)).isEmpty();
    }

    @Test
    void aPathParameterMayLeadToEverySource() throws Exception {
        assertThat(faults("{source}", Mode.SOURCE, Mode.INBOX)).hasSize(1);
        assertThat(faults("{source}", Mode.SOURCE, Mode.INLINE)).isEmpty();
    }

    @Test
    void aRecordInTheHandlersTransactionNeedsAStoreInADatabase() throws Exception {
        assertThat(faults("demo", Mode.TRANSACTIONAL, Mode.INLINE))
                .singleElement()
                .asString()
                .contains("mode=transactional", "needs exactlyonce.store=jdbc, and the store is sqlite");
    }
}
