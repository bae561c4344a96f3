package dev.exactlyonce.source;

import dev.exactlyonce.admission.DeliveryRequest;
import java.util.List;
import java.util.Optional;

/**
 * The fields of a form, URL-encoded or in parts. Only the field that is asked for must be well-formed. It is decoded by the
 * charset that the form or the part names, as UTF-8 where none is named or known.
 */
public final class FormFields {
    private FormFields() {}

    /** Whether the request says that its body is a form. */
    public static boolean areIn(DeliveryRequest request) {
        return type(request)
                .filter(it ->
                        it.value().equals(UrlEncodedForm.TYPE) || it.value().equals(MultipartForm.TYPE))
                .isPresent();
    }

    /** The field's value; nothing when it is missing, malformed or there more than once, or the body is no such form. */
    public static Optional<String> text(DeliveryRequest request, byte[] body, String name) {
        return values(request, body, name).filter(it -> it.size() == 1).flatMap(it -> it.get(0));
    }

    /**
     * Every value under this name, each empty where it is malformed. None when the request has another type, nothing when
     * the body is not what its type says.
     */
    static Optional<List<Optional<String>>> values(DeliveryRequest request, byte[] body, String name) {
        Optional<HeaderParameters> type = type(request);
        return switch (type.map(HeaderParameters::value).orElse("")) {
            case UrlEncodedForm.TYPE -> type.map(it -> UrlEncodedForm.values(body, name, it.charset()));
            case MultipartForm.TYPE -> type.flatMap(it -> MultipartForm.values(body, it, name));
            default -> Optional.of(List.of());
        };
    }

    private static Optional<HeaderParameters> type(DeliveryRequest request) {
        List<String> types = request.header("Content-Type");
        return types.size() == 1 ? Optional.of(HeaderParameters.parse(types.get(0))) : Optional.empty();
    }
}
