package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.Reply;
import dev.exactlyonce.admission.SentRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventFilterTest {
    private static final List<String> GITHUB = List.of("header:X-GitHub-Event", "json:/action");

    private static Optional<Resolution> look(Set<String> wanted, String event, String body) {
        SentRequest request = new SentRequest();
        if (!event.isEmpty()) {
            request.withHeader("X-GitHub-Event", event);
        }
        return EventFilter.of(wanted, GITHUB).look(new Message(request, body.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource({
        "issues, opened, issues.opened, true",
        "issues, closed, issues.opened, false",
        "issues, opened, issues, true",
        "issues_x, opened, issues, false",
        "push, , push, true",
        "push, , push.opened, false",
        "issues, a.b, issues.a, true"
    })
    void anEventIsTakenByItsNameOrByWhatItBeginsWithBeforeADot(
            String event, String action, String wanted, boolean taken) {
        String body = action == null ? "{}" : "{\"action\":\"" + action + "\"}";

        assertThat(look(Set.of(wanted, "other"), event, body))
                .isEqualTo(taken ? Optional.empty() : Optional.of(new Resolution.DirectReply(Reply.SKIPPED)));
    }

    @Test
    void anEventWithoutANameIsRefusedSinceASkippedOneWouldBeLost() {
        assertThat(look(Set.of("push"), "", "{}"))
                .contains(new Resolution.NoKey("No event type: looked for header:X-GitHub-Event."));
    }

    @Test
    void anEventWhoseNameDependsOnAMalformedBodyIsRefused() {
        assertThat(look(Set.of("push.opened"), "push", "{"))
                .contains(new Resolution.NoKey("The body is not well-formed JSON; looked for json:/action."));
    }

    @Test
    void aNameThatIsDecidedBeforeItsEndNeedsNoMore() {
        assertThat(look(Set.of("push"), "push", "{")).isEmpty();
        assertThat(look(Set.of("push", "push.opened"), "push", "{")).isEmpty();
        assertThat(look(Set.of("push.opened"), "issues", "{")).contains(new Resolution.DirectReply(Reply.SKIPPED));
        assertThat(look(Set.of("pushed.opened"), "push", "{")).contains(new Resolution.DirectReply(Reply.SKIPPED));
    }

    @Test
    void anExpressionThatIsNoneIsRefused() {
        assertThatThrownBy(() -> EventFilter.of(Set.of("push"), List.of("X-GitHub-Event")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'X-GitHub-Event' is not a key expression");
    }
}
