package dev.exactlyonce.source;

import dev.exactlyonce.admission.KeyResolver;
import dev.exactlyonce.admission.KeyResolver.Resolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a source's verified messages are looked at for before anybody looks for their keys. Immutable. */
public final class MessageFilters {
    /** Everything is a delivery. */
    public static final MessageFilters NONE = new MessageFilters(List.of());

    private final List<MessageFilter> screens;

    private MessageFilters(List<MessageFilter> screens) {
        this.screens = List.copyOf(screens);
    }

    /**
     * A handshake comes before the filter: it is no event of a name.
     *
     * @param support what handshakes need of the source
     */
    public static MessageFilters of(
            List<Handshake> handshakes, HandshakeSupport support, Optional<EventFilter> events) {
        List<MessageFilter> screens = new ArrayList<>();
        handshakes.forEach(it -> screens.add(message -> it.look(message, support)));
        events.ifPresent(screens::add);
        return screens.isEmpty() ? NONE : new MessageFilters(screens);
    }

    /** Finds the keys of what passes. */
    KeyResolver before(KeyResolver keys) {
        if (screens.isEmpty()) {
            return keys;
        }
        return (request, body) -> {
            Message message = new Message(request, body);
            for (MessageFilter screen : screens) {
                Optional<Resolution> stopped = screen.look(message);
                if (stopped.isPresent()) {
                    return stopped.get();
                }
            }
            return keys.resolve(request, body);
        };
    }
}
