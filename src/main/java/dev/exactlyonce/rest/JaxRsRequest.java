package dev.exactlyonce.rest;

import dev.exactlyonce.admission.DeliveryRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MultivaluedMap;
import java.io.InputStream;
import java.util.List;

/** A JAX-RS request as the engine sees it. */
record JaxRsRequest(ContainerRequestContext context, String endpoint, ContainerQuery queries)
        implements DeliveryRequest {
    @Override
    public String method() {
        return context.getMethod();
    }

    @Override
    public String rawQuery() {
        return queries.of(context.getUriInfo()).raw();
    }

    @Override
    public long announcedLength() {
        List<String> lengths = header("Content-Length");
        try {
            return lengths.size() == 1 ? Long.parseLong(lengths.get(0)) : -1;
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }

    @Override
    public InputStream body() {
        InputStream body = context.getEntityStream();
        InputStream sent = body == null ? InputStream.nullInputStream() : body;
        return announcedLength() > 0 ? new AnnouncedBody(sent) : sent;
    }

    @Override
    public List<String> header(String name) {
        return FieldValues.of(context.getHeaders(), name);
    }

    @Override
    public List<String> query(String name) {
        return queries.of(context.getUriInfo()).values(name);
    }

    @Override
    public List<String> path(String name) {
        return values(context.getUriInfo().getPathParameters(), name);
    }

    private static List<String> values(MultivaluedMap<String, String> map, String name) {
        List<String> values = map.get(name);
        return values == null ? List.of() : values;
    }
}
