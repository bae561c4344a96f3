package dev.exactlyonce.source;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.stream.JsonParser;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Optional;

/** A part of a JSON body, read as a whole where several fields of it are needed. */
public final class JsonBody {
    private final JsonValue value;

    private JsonBody(JsonValue value) {
        this.value = value;
    }

    /** Nothing when it is no well-formed JSON in UTF-8. */
    public static Optional<JsonBody> parse(byte[] body) {
        try (JsonParser parser = JsonProviders.JSON.createParser(new StringReader(Decoding.utf8(body)))) {
            parser.next();
            JsonBody whole = new JsonBody(parser.getValue());
            while (parser.hasNext()) {
                parser.next(); // throws: something follows the document
            }
            return Optional.of(whole);
        } catch (CharacterCodingException | RuntimeException malformed) { // a parser's own limits are bare exceptions
            return Optional.empty();
        }
    }

    /** The string, number or boolean at this JSON pointer. */
    public Optional<String> text(String pointer) {
        return at(pointer).flatMap(it -> switch (it.getValueType()) {
            case STRING -> Optional.of(((JsonString) it).getString());
            case NUMBER, TRUE, FALSE -> Optional.of(it.toString());
            case OBJECT, ARRAY, NULL -> Optional.empty();
        });
    }

    /** The elements of the array at this JSON pointer; none when there is no array. */
    public List<JsonBody> items(String pointer) {
        return at(pointer)
                .filter(JsonArray.class::isInstance)
                .map(it -> it.asJsonArray().stream().map(JsonBody::new).toList())
                .orElse(List.of());
    }

    private Optional<JsonValue> at(String pointer) {
        Optional<JsonValue> found = Optional.of(value);
        for (String token : JsonPointer.parse(pointer).tokens()) {
            found = found.flatMap(it -> child(it, token));
        }
        return found;
    }

    private static Optional<JsonValue> child(JsonValue parent, String token) {
        if (parent instanceof JsonObject object) {
            return Optional.ofNullable(object.get(token));
        }
        if (parent instanceof JsonArray array && token.matches("0|[1-9][0-9]{0,8}")) {
            int index = Integer.parseInt(token);
            return index < array.size() ? Optional.of(array.get(index)) : Optional.empty();
        }
        return Optional.empty();
    }
}
