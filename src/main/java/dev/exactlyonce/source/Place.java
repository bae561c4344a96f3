package dev.exactlyonce.source;

import dev.exactlyonce.admission.DeliveryKey;
import java.util.List;

/** Where one part of a key, or of an event's name, may be: the alternatives of one expression. */
record Place(String expression, List<Lookup> alternatives) {
    /** @throws IllegalArgumentException naming the expression and what is allowed */
    static Place parse(String expression) {
        return new Place(expression, Lookup.parseAlternatives(expression));
    }

    /**
     * The first alternative that is there and not blank. A malformed value is unusable, never skipped, and so is one that
     * {@link DeliveryKey#fault} finds something wrong with.
     *
     * @param what it is called in a refusal
     */
    Lookup.Value in(Message message, String what) {
        for (Lookup alternative : alternatives) {
            Lookup.Value value = alternative.in(message);
            if (value instanceof Lookup.Unusable) {
                return value;
            }
            if (value instanceof Lookup.Found found && !found.text().isBlank()) {
                String fault = DeliveryKey.fault(found.text());
                return fault == null
                        ? value
                        : new Lookup.Unusable("The " + what + " in " + alternative.expression() + " " + fault + ".");
            }
        }
        return Lookup.MISSING;
    }
}
