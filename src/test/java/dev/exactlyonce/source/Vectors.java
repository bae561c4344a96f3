package dev.exactlyonce.source;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Signed requests that providers publish, each with its secret; the few that are derived say so in their source. */
public final class Vectors {
    private Vectors() {}

    /** Every row whose provider is this. */
    public static List<JsonObject> of(String provider) {
        return all().stream()
                .filter(it -> it.getString("provider").equals(provider))
                .toList();
    }

    public static List<JsonObject> all() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(Vectors.class.getResourceAsStream("/vectors/signatures.jsonl")),
                StandardCharsets.UTF_8))) {
            return lines.lines().filter(it -> !it.isBlank()).map(Vectors::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonObject parse(String line) {
        try (JsonReader reader = Json.createReader(new StringReader(line))) {
            return reader.readObject();
        }
    }
}
