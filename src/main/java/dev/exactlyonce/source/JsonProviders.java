package dev.exactlyonce.source;

import jakarta.json.spi.JsonProvider;

/** The JSON-P provider, looked up once: {@code Json.createParser} looks it up on every call. Loaded when JSON is first used. */
public final class JsonProviders {
    public static final JsonProvider JSON = JsonProvider.provider();

    private JsonProviders() {}
}
