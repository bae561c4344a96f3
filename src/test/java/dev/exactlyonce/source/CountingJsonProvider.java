package dev.exactlyonce.source;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonBuilderFactory;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonPointer;
import jakarta.json.JsonReader;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonString;
import jakarta.json.JsonWriter;
import jakarta.json.JsonWriterFactory;
import jakarta.json.spi.JsonProvider;
import jakarta.json.stream.JsonGenerator;
import jakarta.json.stream.JsonGeneratorFactory;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.parsson.JsonProviderImpl;

/** The JSON-P provider of the unit tests: counts the parsers and readers that each thread creates. */
public final class CountingJsonProvider extends JsonProvider {
    private static final ThreadLocal<AtomicInteger> PARSES = ThreadLocal.withInitial(AtomicInteger::new);

    private final JsonProvider provider = new JsonProviderImpl();

    /** How many this thread has created. */
    public static int parses() {
        return PARSES.get().get();
    }

    private JsonProvider counted() {
        PARSES.get().incrementAndGet();
        return provider;
    }

    @Override
    public JsonParser createParser(Reader reader) {
        return counted().createParser(reader);
    }

    @Override
    public JsonParser createParser(InputStream in) {
        return counted().createParser(in);
    }

    @Override
    public JsonParserFactory createParserFactory(Map<String, ?> config) {
        return counted().createParserFactory(config);
    }

    @Override
    public JsonReader createReader(Reader reader) {
        return counted().createReader(reader);
    }

    @Override
    public JsonReader createReader(InputStream in) {
        return counted().createReader(in);
    }

    @Override
    public JsonReaderFactory createReaderFactory(Map<String, ?> config) {
        return counted().createReaderFactory(config);
    }

    @Override
    public JsonGenerator createGenerator(Writer writer) {
        return provider.createGenerator(writer);
    }

    @Override
    public JsonGenerator createGenerator(OutputStream out) {
        return provider.createGenerator(out);
    }

    @Override
    public JsonGeneratorFactory createGeneratorFactory(Map<String, ?> config) {
        return provider.createGeneratorFactory(config);
    }

    @Override
    public JsonWriter createWriter(Writer writer) {
        return provider.createWriter(writer);
    }

    @Override
    public JsonWriter createWriter(OutputStream out) {
        return provider.createWriter(out);
    }

    @Override
    public JsonWriterFactory createWriterFactory(Map<String, ?> config) {
        return provider.createWriterFactory(config);
    }

    @Override
    public JsonObjectBuilder createObjectBuilder() {
        return provider.createObjectBuilder();
    }

    @Override
    public JsonArrayBuilder createArrayBuilder() {
        return provider.createArrayBuilder();
    }

    @Override
    public JsonBuilderFactory createBuilderFactory(Map<String, ?> config) {
        return provider.createBuilderFactory(config);
    }

    @Override
    public JsonPointer createPointer(String pointer) {
        return provider.createPointer(pointer);
    }

    @Override
    public JsonString createValue(String value) {
        return provider.createValue(value);
    }

    @Override
    public JsonNumber createValue(BigDecimal value) {
        return provider.createValue(value);
    }
}
