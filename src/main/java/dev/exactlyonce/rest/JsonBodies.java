package dev.exactlyonce.rest;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.MessageBodyWriter;
import jakarta.ws.rs.ext.Providers;
import java.io.File;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes values as JSON, with the writer that JAX-RS will write them with for the client. */
final class JsonBodies {
    private final @Nullable Providers providers;
    private final Annotation[] annotations;

    /** @param annotations the resource method's */
    JsonBodies(@Nullable Providers providers, Annotation[] annotations) {
        this.providers = providers;
        this.annotations = annotations;
    }

    /** Null for what is no JSON, can be read once only, or has no writer. */
    byte @Nullable [] write(Object entity, Type declared, MediaType type, int mostBytes) throws IOException {
        if (providers == null || !isJson(type) || isStream(entity)) {
            return null;
        }
        return write(providers, entity, declared, type, mostBytes);
    }

    @SuppressWarnings("unchecked") // the writer says itself that it takes this entity
    private byte @Nullable [] write(Providers from, Object entity, Type declared, MediaType type, int mostBytes)
            throws IOException {
        Class<Object> kind = (Class<Object>) entity.getClass();
        Type generic = declared instanceof ParameterizedType ? declared : kind;
        MessageBodyWriter<Object> writer = from.getMessageBodyWriter(kind, generic, annotations, type);
        if (writer == null) {
            return null;
        }
        LimitedBytes out = new LimitedBytes(mostBytes);
        writer.writeTo(entity, kind, generic, annotations, type, new MultivaluedHashMap<>(), out);
        return out.toByteArray();
    }

    private static boolean isJson(MediaType type) {
        String subtype = type.getSubtype().toLowerCase(Locale.ROOT);
        return type.getType().equalsIgnoreCase("application") && (subtype.equals("json") || subtype.endsWith("+json"));
    }

    private static boolean isStream(Object entity) {
        return entity instanceof StreamingOutput
                || entity instanceof AutoCloseable // streams of every kind, readers
                || entity instanceof Iterator<?>
                || entity instanceof File
                || entity instanceof Path;
    }
}
