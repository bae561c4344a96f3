package dev.exactlyonce.sender.http;

import dev.exactlyonce.sender.spi.TransportResult;
import java.net.UnknownHostException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.protocol.HttpContext;

/** One attempt and its progress, which decides what a failure means. */
final class ExchangeProgress {
    private static final String ATTRIBUTE = ExchangeProgress.class.getName();

    /** In order; an attempt on an open connection skips the first two. */
    enum Stage {
        CONNECTING,
        IN_HANDSHAKE,
        /** From here on the receiver may have the event. */
        SENDING
    }

    private final HttpPost request;
    private final HttpClientContext context = HttpClientContext.create();
    private volatile Stage stage = Stage.CONNECTING;

    ExchangeProgress(HttpPost request) {
        this.request = request;
        context.setAttribute(ATTRIBUTE, this);
    }

    /** The one that runs in this context. */
    static ExchangeProgress in(HttpContext context) {
        return (ExchangeProgress) context.getAttribute(ATTRIBUTE);
    }

    HttpPost request() {
        return request;
    }

    HttpClientContext context() {
        return context;
    }

    void isAt(Stage now) {
        stage = now;
    }

    /** Ends it, and its connection, unless it has come as far as to be sent. */
    void cutUnlessSending() {
        if (stage != Stage.SENDING) {
            cut();
        }
    }

    /** Ends it and its connection, and with them what its thread waits for. */
    void cut() {
        request.cancel();
    }

    TransportResult.TransportFailure failure(Exception why) {
        return switch (stage) {
            case SENDING -> TransportResult.TransportFailure.NO_ANSWER;
            case IN_HANDSHAKE -> TransportResult.TransportFailure.TLS;
            case CONNECTING -> {
                if (why instanceof AddressRefusedException) {
                    yield TransportResult.TransportFailure.ADDRESS_REFUSED;
                }
                yield why instanceof UnknownHostException
                        ? TransportResult.TransportFailure.DNS
                        : TransportResult.TransportFailure.CONNECT;
            }
        };
    }
}
