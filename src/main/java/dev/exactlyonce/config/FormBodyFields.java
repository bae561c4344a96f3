package dev.exactlyonce.config;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.signature.FormReader;
import dev.exactlyonce.source.FormFields;
import java.util.Optional;

/** Forms as signatures want to see them: the package that knows signatures knows no forms. */
final class FormBodyFields implements FormReader {
    @Override
    public boolean isForm(DeliveryRequest request) {
        return FormFields.areIn(request);
    }

    @Override
    public Optional<String> field(DeliveryRequest request, byte[] body, String name) {
        return FormFields.text(request, body, name);
    }
}
