package dev.exactlyonce.admission;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** A request whose signature was found to be right. */
record VerifiedRequest(DeliveryRequest request, Verification.Signed signed) implements DeliveryRequest {
    @Override
    public Optional<String> signature() {
        return Optional.of(signed.signature());
    }

    @Override
    public String bodyDigest(byte[] body) {
        return signed.body().orElseGet(() -> request.bodyDigest(body));
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
