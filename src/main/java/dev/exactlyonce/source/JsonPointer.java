package dev.exactlyonce.source;

import dev.exactlyonce.spi.DeliveryKey;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParser.Event;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An RFC 6901 pointer to a string, number or boolean. The document is read as a stream, to its end: a pointer into
 * malformed JSON finds nothing, wherever the fault is, and nothing that it does not point to is converted. A member that
 * stands twice counts by its last value, as it does for the JSON-P object model.
 */
record JsonPointer(String text, List<String> tokens) {
    private static final int LONGEST = DeliveryKey.MAX_PART;

    static JsonPointer parse(String pointer) {
        List<String> tokens = new ArrayList<>();
        if (!pointer.isEmpty()) {
            for (String token : pointer.substring(1).split("/", -1)) {
                tokens.add(token.replace("~1", "/").replace("~0", "~"));
            }
        }
        return new JsonPointer(pointer, List.copyOf(tokens));
    }

    ValueSelector.Value in(byte[] body) {
        try {
            return in(Decoding.utf8(body)).orElseGet(this::noJson);
        } catch (CharacterCodingException malformed) {
            return noJson();
        }
    }

    /** Nothing when the text is no well-formed JSON. */
    Optional<ValueSelector.Value> in(String json) {
        try (JsonParser parser = JsonProviders.JSON.createParser(new StringReader(json))) {
            ValueSelector.Value value = find(parser, parser.next(), 0);
            while (parser.hasNext()) {
                parser.next();
            }
            return Optional.of(value);
        } catch (RuntimeException malformed) { // a parser's own limits are bare exceptions
            return Optional.empty();
        }
    }

    /** What a body is to this pointer that is no well-formed JSON. */
    ValueSelector.Value noJson() {
        return new ValueSelector.Malformed("The body is not well-formed JSON; looked for json:" + text + ".");
    }

    private ValueSelector.Value find(JsonParser parser, Event event, int depth) {
        if (depth == tokens.size()) {
            return scalar(parser, event);
        }
        ValueSelector.Value found = ValueSelector.MISSING;
        if (event == Event.START_OBJECT) {
            for (Event next = parser.next(); next != Event.END_OBJECT; next = parser.next()) {
                boolean wanted = parser.getString().equals(tokens.get(depth));
                Event value = parser.next();
                if (wanted) {
                    found = find(parser, value, depth + 1);
                } else {
                    skip(parser, value);
                }
            }
        } else if (event == Event.START_ARRAY) {
            int index = 0;
            for (Event next = parser.next(); next != Event.END_ARRAY; next = parser.next()) {
                if (Integer.toString(index++).equals(tokens.get(depth))) {
                    found = find(parser, next, depth + 1);
                } else {
                    skip(parser, next);
                }
            }
        }
        return found;
    }

    private ValueSelector.Value scalar(JsonParser parser, Event event) {
        return switch (event) {
            case VALUE_STRING -> new ValueSelector.Selected(parser.getString());
            case VALUE_NUMBER -> number(parser);
            case VALUE_TRUE -> new ValueSelector.Selected("true");
            case VALUE_FALSE -> new ValueSelector.Selected("false");
            default -> {
                skip(parser, event);
                yield ValueSelector.MISSING;
            }
        };
    }

    private ValueSelector.Value number(JsonParser parser) {
        String literal = parser.getString();
        if (literal.length() <= LONGEST) {
            try {
                BigDecimal number = new BigDecimal(literal);
                long digits = (long) number.precision() + Math.abs((long) number.scale());
                if (digits <= LONGEST) {
                    return new ValueSelector.Selected(number.toPlainString());
                }
            } catch (NumberFormatException exponentOutOfRange) {
                // falls through: too long in any case
            }
        }
        return new ValueSelector.Malformed(
                "The idempotency key in json:" + text + " is longer than " + LONGEST + " characters.");
    }

    /** Reads past a value event by event, since the parser's own skipping does not look at the grammar. */
    private static void skip(JsonParser parser, Event first) {
        int open = depthChange(first);
        while (open > 0) {
            open += depthChange(parser.next());
        }
    }

    private static int depthChange(Event event) {
        return switch (event) {
            case START_OBJECT, START_ARRAY -> 1;
            case END_OBJECT, END_ARRAY -> -1;
            default -> 0;
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
