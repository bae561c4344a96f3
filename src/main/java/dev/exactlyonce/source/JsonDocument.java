package dev.exactlyonce.source;

import dev.exactlyonce.spi.DeliveryKey;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParser.Event;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * Builds the value of a JSON document from the parser's events, to the document's end. The parser's own building converts
 * every number, and refuses a document for one that is long; here a number that is too long for a key stays unconverted. A
 * member that occurs twice has its last value.
 */
final class JsonDocument {
    private static final int MAX_DEPTH = 1000;

    /** A number that no key may have, since it is too long to be written plainly. */
    static final JsonValue OVERSIZED_NUMBER = new JsonValue() {
        @Override
        public ValueType getValueType() {
            return ValueType.NUMBER;
        }
    };

    private final JsonParser parser;

    private JsonDocument(JsonParser parser) {
        this.parser = parser;
    }

    /** Empty when it is not well-formed JSON, or nested too deeply. */
    static Optional<JsonValue> parse(String text) {
        try (JsonParser parser = JsonProviders.JSON.createParser(new StringReader(text))) {
            JsonValue value = new JsonDocument(parser).value(parser.next(), 0);
            while (parser.hasNext()) {
                parser.next(); // throws: something follows the document
            }
            return Optional.of(value);
        } catch (RuntimeException malformed) { // a parser's own limits are bare exceptions
            return Optional.empty();
        }
    }

    private JsonValue value(Event event, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("nested too deeply");
        }
        return switch (event) {
            case START_OBJECT -> object(depth);
            case START_ARRAY -> array(depth);
            case VALUE_STRING -> JsonProviders.JSON.createValue(parser.getString());
            case VALUE_NUMBER -> number(parser.getString());
            case VALUE_TRUE -> JsonValue.TRUE;
            case VALUE_FALSE -> JsonValue.FALSE;
            case VALUE_NULL -> JsonValue.NULL;
            default -> throw new IllegalStateException("no value begins with " + event);
        };
    }

    private JsonValue object(int depth) {
        JsonObjectBuilder object = JsonProviders.JSON.createObjectBuilder();
        for (Event next = parser.next(); next != Event.END_OBJECT; next = parser.next()) {
            String name = parser.getString();
            object.add(name, value(parser.next(), depth + 1));
        }
        return object.build();
    }

    private JsonValue array(int depth) {
        JsonArrayBuilder array = JsonProviders.JSON.createArrayBuilder();
        for (Event next = parser.next(); next != Event.END_ARRAY; next = parser.next()) {
            array.add(value(next, depth + 1));
        }
        return array.build();
    }

    private static JsonValue number(String literal) {
        if (literal.length() <= DeliveryKey.MAX_PART) {
            try {
                BigDecimal number = new BigDecimal(literal);
                if ((long) number.precision() + Math.abs((long) number.scale()) <= DeliveryKey.MAX_PART) {
                    return JsonProviders.JSON.createValue(number);
                }
            } catch (NumberFormatException exponentOutOfRange) {
                // falls through: too long in any case
            }
        }
        return OVERSIZED_NUMBER;
    }
}
