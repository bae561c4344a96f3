package dev.exactlyonce.source;

/** Which requests without a body are answered 200 where nothing takes them: a sender asks so whether an address is there. */
public enum UrlValidation {
    /** A HEAD. */
    HEAD,
    /** A GET or a HEAD. */
    GET,
    /** None. */
    NONE;

    /** @param method the request's */
    public boolean answers(String method) {
        return switch (this) {
            case HEAD -> method.equals("HEAD");
            case GET -> method.equals("HEAD") || method.equals("GET");
            case NONE -> false;
        };
    }
}
