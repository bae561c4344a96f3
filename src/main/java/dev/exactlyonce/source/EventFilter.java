package dev.exactlyonce.source;

import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lets only the events pass that a source wants. An event's name is what its lookups find, joined by dots: {@code issues}
 * from a header and {@code opened} from the body are {@code issues.opened}. A wanted name takes the names below it, too.
 *
 * <p>An event without a name is refused, not skipped: it would be lost without a word if the lookup were wrong.
 */
public final class EventFilter implements MessageFilter {
    private final Set<String> wanted;
    private final List<KeyExpression> parts;

    private EventFilter(Set<String> wanted, List<KeyExpression> parts) {
        this.wanted = wanted;
        this.parts = parts;
    }

    /**
     * @param wanted names of events, or what they begin with before a dot
     * @param expressions where the parts of an event's name are; only the first must be there
     * @throws IllegalArgumentException naming the expression and what is allowed
     */
    public static EventFilter of(Set<String> wanted, List<String> expressions) {
        return new EventFilter(
                Set.copyOf(wanted),
                expressions.stream().map(KeyExpression::parse).toList());
    }

    @Override
    public Optional<Resolution> look(Message message) {
        List<String> name = new ArrayList<>(parts.size());
        for (KeyExpression part : parts) {
            if (!name.isEmpty() && isDecided(name)) {
                break;
            }
            ValueSelector.Value value = part.in(message, "event type");
            if (value instanceof ValueSelector.Malformed unusable) {
                return Optional.of(new Resolution.NoKey(unusable.reason()));
            }
            if (value instanceof ValueSelector.Selected found) {
                name.add(found.text());
            } else if (name.isEmpty()) {
                return Optional.of(new Resolution.NoKey("No event type: looked for " + part.expression() + "."));
            }
        }
        return isWanted(name) ? Optional.empty() : Optional.of(new Resolution.DirectReply(Reply.SKIPPED));
    }

    /** Whether what may follow the name changes nothing: it need not be there, and may be malformed. */
    private boolean isDecided(List<String> name) {
        String longer = String.join(".", name) + ".";
        return isWanted(name) || wanted.stream().noneMatch(it -> it.startsWith(longer));
    }

    private boolean isWanted(List<String> name) {
        String whole = String.join(".", name);
        return Stream.iterate(whole, it -> !it.isEmpty(), it -> it.substring(0, Math.max(0, it.lastIndexOf('.'))))
                .anyMatch(wanted::contains);
    }
}
