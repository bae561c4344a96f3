package dev.exactlyonce.admission;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A request on its way through the engine. Not thread-safe.
 *
 * @param signed what its signature covers, once that was found to be right
 * @param derivedValues what was derived from its body, by type
 */
record ReceivedRequest(
        DeliveryRequest request, Optional<Verification.Signed> signed, Map<Class<?>, Object> derivedValues)
        implements DeliveryRequest {
    ReceivedRequest(DeliveryRequest request) {
        this(request, Optional.empty(), new HashMap<>());
    }

    ReceivedRequest withSigned(Optional<Verification.Signed> verified) {
        return new ReceivedRequest(request, verified, derivedValues);
    }

    @Override
    public <T> T derived(Class<T> type, Supplier<T> derivation) {
        return type.cast(derivedValues.computeIfAbsent(type, it -> derivation.get()));
    }

    @Override
    public Optional<String> signature() {
        return signed.map(Verification.Signed::signature).or(request::signature);
    }

    @Override
    public String bodyDigest(byte[] body) {
        return signed.flatMap(Verification.Signed::body).orElseGet(() -> request.bodyDigest(body));
    }

    @Override
    public String endpoint() {
        return request.endpoint();
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public String rawQuery() {
        return request.rawQuery();
    }

    @Override
    public long announcedLength() {
        return request.announcedLength();
    }

    @Override
    public InputStream body() throws IOException {
        return request.body();
    }

    @Override
    public List<String> header(String name) {
        return request.header(name);
    }

    @Override
    public List<String> query(String name) {
        return request.query(name);
    }

    @Override
    public List<String> path(String name) {
        return request.path(name);
    }
}
