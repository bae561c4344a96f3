package dev.exactlyonce.source;

import dev.exactlyonce.spi.DeliveryKey;
import java.util.List;

/** Where one part of a key, or of an event's name, may be: the alternatives of one expression. */
record KeyExpression(String expression, List<ValueSelector> alternatives) {
    /** @throws IllegalArgumentException naming the expression and what is allowed */
    static KeyExpression parse(String expression) {
        return new KeyExpression(expression, ValueSelector.parseAlternatives(expression));
    }

    /**
     * The first alternative that is there and not blank. A malformed value is unusable, never skipped, and so is one that
     * {@link DeliveryKey#fault} finds something wrong with.
     *
     * @param what it is called in a refusal
     */
    ValueSelector.Value in(Message message, String what) {
        for (ValueSelector alternative : alternatives) {
            ValueSelector.Value value = alternative.in(message);
            if (value instanceof ValueSelector.Malformed) {
                return value;
            }
            if (value instanceof ValueSelector.Selected found && !found.text().isBlank()) {
                String fault = DeliveryKey.fault(found.text());
                return fault == null
                        ? value
                        : new ValueSelector.Malformed(
                                "The " + what + " in " + alternative.expression() + " " + fault + ".");
            }
        }
        return ValueSelector.MISSING;
    }
}
