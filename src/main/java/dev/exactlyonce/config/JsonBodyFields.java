package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.signature.JsonFields;
import dev.exactlyonce.source.JsonBody;
import java.util.List;
import java.util.Optional;

/** JSON bodies as the signature package needs them: that package does not depend on JSON-P. */
record JsonBodyFields(JsonBody body) implements JsonFields {
    static Optional<JsonFields> read(DeliveryRequest request, byte[] body) {
        return JsonBody.of(request, body).map(JsonBodyFields::new);
    }

    @Override
    public Optional<String> text(String pointer) {
        return body.text(pointer);
    }

    @Override
    public List<JsonFields> items(String pointer) {
        return body.items(pointer).stream().<JsonFields>map(JsonBodyFields::new).toList();
    }
}
