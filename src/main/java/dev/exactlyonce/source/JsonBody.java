package dev.exactlyonce.source;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.spi.DeliveryKey;
import jakarta.json.JsonArray;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A JSON document, or a part of one. Immutable. */
public final class JsonBody {
    /** The name of a member, but no index of an array; JSON-P would take it for one. */
    private static final Pattern LEADING_ZERO = Pattern.compile("/0[0-9]+(?=/|$)");

    private final JsonValue value;

    private JsonBody(JsonValue value) {
        this.value = value;
    }

    /** The document of a delivery's body, parsed once for each delivery; empty when it is not well-formed JSON in UTF-8. */
    public static Optional<JsonBody> of(DeliveryRequest request, byte[] body) {
        return request.derived(Parsed.class, () -> new Parsed(parse(body))).document();
    }

    /** The document of a form's field, parsed once for each delivery; empty when it is not well-formed JSON. */
    static Optional<JsonBody> ofField(DeliveryRequest request, String value) {
        return request.derived(ParsedFields.class, () -> new ParsedFields(new HashMap<>()))
                .documents()
                .computeIfAbsent(value, JsonBody::parse);
    }

    private record Parsed(Optional<JsonBody> document) {}

    private record ParsedFields(Map<String, Optional<JsonBody>> documents) {}

    /** Empty when it is not well-formed JSON in UTF-8. */
    static Optional<JsonBody> parse(byte[] body) {
        try {
            return parse(Decoding.utf8(body));
        } catch (CharacterCodingException malformed) {
            return Optional.empty();
        }
    }

    /** Empty when it is not well-formed JSON. */
    private static Optional<JsonBody> parse(String text) {
        return JsonDocument.parse(text).map(JsonBody::new);
    }

    /** The string, number or boolean at this JSON pointer. */
    public Optional<String> text(String pointer) {
        return at(pointer).flatMap(it -> switch (it.getValueType()) {
            case STRING -> Optional.of(((JsonString) it).getString());
            case NUMBER -> it instanceof JsonNumber ? Optional.of(it.toString()) : Optional.empty();
            case TRUE, FALSE -> Optional.of(it.toString());
            case OBJECT, ARRAY, NULL -> Optional.empty();
        });
    }

    /** The same as a part of a key, with numbers in plain notation. */
    ValueSelector.Value value(String pointer) {
        Optional<JsonValue> found = at(pointer);
        if (found.isPresent() && found.get().getValueType() == JsonValue.ValueType.NUMBER) {
            return found.get() instanceof JsonNumber number
                    ? new ValueSelector.Selected(number.bigDecimalValue().toPlainString())
                    : new ValueSelector.Malformed("The idempotency key in json:" + pointer + " is longer than "
                            + DeliveryKey.MAX_PART + " characters.");
        }
        return text(pointer)
                .<ValueSelector.Value>map(ValueSelector.Selected::new)
                .orElse(ValueSelector.MISSING);
    }

    /** The elements of the array at this JSON pointer; none when there is no array. */
    public List<JsonBody> items(String pointer) {
        return at(pointer)
                .filter(JsonArray.class::isInstance)
                .map(it -> it.asJsonArray().stream().map(JsonBody::new).toList())
                .orElse(List.of());
    }

    /** The value at this pointer of RFC 6901. */
    Optional<JsonValue> at(String pointer) {
        if (value instanceof JsonStructure structure) {
            if (!LEADING_ZERO.matcher(pointer).results().allMatch(it -> isObject(pointer.substring(0, it.start())))) {
                return Optional.empty();
            }
            try {
                return Optional.of(JsonProviders.JSON.createPointer(pointer).getValue(structure));
            } catch (JsonException missing) {
                return Optional.empty();
            }
        }
        return pointer.isEmpty() ? Optional.of(value) : Optional.empty();
    }

    private boolean isObject(String pointer) {
        return at(pointer).filter(JsonObject.class::isInstance).isPresent();
    }
}
