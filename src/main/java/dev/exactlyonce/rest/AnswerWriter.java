package dev.exactlyonce.rest;

import dev.exactlyonce.admission.Failures;
import dev.exactlyonce.rest.StoredAnswer.BodyForm;
import dev.exactlyonce.rest.StoredAnswer.ReplayedHeader;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a resource method returned as the answer that its duplicates will get: right after the method, so that the
 * record does not wait for the client. What can be written is nothing, a text, bytes, and any value whose answer is JSON;
 * of the rest (streams, files, other types) a tombstone is left. JSON needs the request's own providers, which are not to
 * be had on another thread: there a stage's value is kept as a text or as bytes, or not at all.
 */
public final class AnswerWriter {
    private static final System.Logger LOG = System.getLogger(AnswerWriter.class.getName());

    /** Never what belongs to one client or one connection: cookies, credentials, hop-by-hop headers. */
    private static final List<String> HEADERS = List.of(
            HttpHeaders.CONTENT_TYPE,
            HttpHeaders.CONTENT_LANGUAGE,
            HttpHeaders.CONTENT_DISPOSITION,
            HttpHeaders.LOCATION,
            HttpHeaders.LINK,
            HttpHeaders.ETAG,
            HttpHeaders.LAST_MODIFIED,
            HttpHeaders.CACHE_CONTROL,
            HttpHeaders.RETRY_AFTER);

    private final JsonBodies bodies;
    private final Type returned;
    private final @Nullable MediaType declared;

    private AnswerWriter(JsonBodies bodies, Type returned, @Nullable MediaType declared) {
        this.bodies = bodies;
        this.returned = returned;
        this.declared = declared;
    }

    /** @param providers the application's, where the server gives them: without, only texts and bytes can be written */
    public static AnswerWriter of(Class<?> resource, Method method, @Nullable Providers providers) {
        ResourceMethod seen = ResourceMethod.of(resource, method);
        return new AnswerWriter(
                new JsonBodies(providers, seen.annotations()),
                withoutStage(seen.returned()),
                only(seen.produces().orElse(null)));
    }

    /** A stage's answer is its value. */
    private static Type withoutStage(Type type) {
        return type instanceof ParameterizedType it
                        && it.getRawType() instanceof Class<?> raw
                        && CompletionStage.class.isAssignableFrom(raw)
                        && it.getActualTypeArguments().length == 1
                ? it.getActualTypeArguments()[0]
                : type;
    }

    /** The type that every answer has; none where the request has a choice. */
    private static @Nullable MediaType only(@Nullable Produces produces) {
        if (produces == null || produces.value().length != 1 || produces.value()[0].contains(",")) {
            return null;
        }
        MediaType type = MediaType.valueOf(produces.value()[0]);
        return type.isWildcardType()
                        || type.isWildcardSubtype()
                        || type.getParameters().containsKey("qs")
                ? null
                : type;
    }

    /**
     * @param mostBytes how large the answer may be
     * @return the content of the record; empty for a tombstone
     */
    String returned(@Nullable Object value, int mostBytes) {
        try {
            StoredAnswer answer = value instanceof Response response
                    ? answer(response, mostBytes)
                    : answer(value, returned, declared, List.of(), mostBytes);
            return answer == null || answer.size() > mostBytes ? "" : answer.encode();
        } catch (Exception | LinkageError | StackOverflowError unwritable) { // the work is done: that must be recorded
            LOG.log(Level.DEBUG, "an answer could not be written for its duplicates", unwritable);
            return "";
        }
    }

    /** Only an exception that carries its whole answer: any other's is a mapper's, and not known here. */
    String failed(Throwable failure, int mostBytes) {
        return Failures.unwrap(failure) instanceof WebApplicationException it
                        && it.getResponse().hasEntity()
                ? returned(it.getResponse(), mostBytes)
                : "";
    }

    private @Nullable StoredAnswer answer(Response response, int mostBytes) throws IOException {
        Object entity = response.getEntity();
        List<ReplayedHeader> headers = new ArrayList<>();
        for (String name : HEADERS) {
            List<String> values = response.getStringHeaders().get(name);
            if (values != null) {
                FieldValues.trimmed(values).forEach(it -> headers.add(new ReplayedHeader(name, it)));
            }
        }
        MediaType type = response.getMediaType();
        return type == null
                ? answer(entity, Object.class, declared, headers, mostBytes)
                : answer(entity, Object.class, type, headers, mostBytes);
    }

    private @Nullable StoredAnswer answer(
            @Nullable Object entity,
            Type type,
            @Nullable MediaType mediaType,
            List<ReplayedHeader> headers,
            int mostBytes)
            throws IOException {
        if (entity == null) {
            return new StoredAnswer(BodyForm.NONE, headers, new byte[0]);
        }
        if (entity instanceof String text) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            return new StoredAnswer(BodyForm.TEXT, typed(headers, mediaType), body);
        }
        if (entity instanceof byte[] bytes) {
            return new StoredAnswer(BodyForm.BYTES, typed(headers, mediaType), bytes);
        }
        MediaType json = mediaType == null && entity instanceof JsonValue ? MediaType.APPLICATION_JSON_TYPE : mediaType;
        byte[] body = json == null ? null : bodies.write(entity, type, json, mostBytes);
        return body == null ? null : new StoredAnswer(BodyForm.BYTES, typed(headers, json), body);
    }

    private static List<ReplayedHeader> typed(List<ReplayedHeader> headers, @Nullable MediaType type) {
        if (type == null || headers.stream().anyMatch(it -> it.name().equals(HttpHeaders.CONTENT_TYPE))) {
            return headers; // without a type the server chooses it, as it did for the first answer
        }
        List<ReplayedHeader> all = new ArrayList<>(headers);
        all.add(new ReplayedHeader(HttpHeaders.CONTENT_TYPE, type.toString()));
        return all;
    }
}
