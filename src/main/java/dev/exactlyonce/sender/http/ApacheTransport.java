package dev.exactlyonce.sender.http;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.spi.Transport;
import dev.exactlyonce.sender.spi.TransportResult;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

/**
 * Posts over HTTP/1.1, and HTTPS with the roots that the JDK trusts, or those of {@code javax.net.ssl.trustStore}. Keeps
 * connections, {@link Endpoint#concurrency} for each endpoint at most. Thread-safe.
 *
 * <p>The status counts as soon as the answer's head is there. Of the body at most 64 KiB are read, and thrown away, for the
 * connection to be used again; what is longer, breaks off or comes too late costs the connection and nothing else. A kept
 * connection that the receiver closes just as a request goes out on it is {@code NO_ANSWER}: whether the event was taken
 * cannot be known.
 */
public final class ApacheTransport implements Transport {
    static final int MOST_READ = 65_536;

    private final TransportTimeouts timeouts;
    private final HostLookup lookup;
    private final SSLContext tls;
    private final Deadlines deadlines;
    private final Map<Endpoint, EndpointClient> clients = new ConcurrentHashMap<>();

    /** With the timeouts of {@link Endpoint}. */
    public ApacheTransport() {
        this(TransportTimeouts.DEFAULT);
    }

    /**
     * @param connectWithin from the start of an attempt until its request leaves, > 0
     * @param answerWithin from the start of an attempt to the end of its answer, not shorter
     */
    public ApacheTransport(Duration connectWithin, Duration answerWithin) {
        this(new TransportTimeouts(connectWithin, answerWithin, TransportTimeouts.DEFAULT.unchecked()));
    }

    private ApacheTransport(TransportTimeouts timeouts) {
        this(timeouts, InetAddress::getAllByName, jdkTls());
    }

    ApacheTransport(TransportTimeouts timeouts, HostLookup lookup, SSLContext tls) {
        this.timeouts = timeouts;
        this.lookup = lookup;
        this.tls = tls;
        this.deadlines = new Deadlines(timeouts);
    }

    /** The default of the JDK, or of the server, for its connections. */
    private static SSLContext jdkTls() {
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, null, null);
            return tls;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no TLS", e);
        }
    }

    @Override
    public TransportResult post(Endpoint endpoint, Map<String, List<String>> headers, byte[] body) {
        ExchangeProgress exchange = new ExchangeProgress(request(endpoint, headers, body));
        try (Deadlines.Watch watch = deadlines.watch(exchange)) {
            return execute(clients.computeIfAbsent(endpoint, this::open), exchange);
        } catch (RejectedExecutionException closed) {
            return new TransportResult.None(TransportResult.TransportFailure.CONNECT);
        }
    }

    private EndpointClient open(Endpoint endpoint) {
        return new EndpointClient(endpoint, timeouts, lookup, tls);
    }

    private static HttpPost request(Endpoint endpoint, Map<String, List<String>> headers, byte[] body) {
        HttpPost request = new HttpPost(endpoint.url());
        headers.forEach((name, values) -> values.forEach(it -> request.addHeader(name, it)));
        request.setEntity(new ByteArrayEntity(body, null));
        return request;
    }

    private static TransportResult execute(EndpointClient client, ExchangeProgress exchange) {
        try {
            ClassicHttpResponse answer = client.send(exchange);
            TransportResult status = new TransportResult.Status(answer.getCode(), retryAfter(answer));
            finish(answer, exchange);
            return status;
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            // The client's other two: its request was cancelled at an awkward moment, and the answer's status is 000.
            return new TransportResult.None(exchange.failure(e));
        }
    }

    private static Optional<String> retryAfter(ClassicHttpResponse answer) {
        return Optional.ofNullable(answer.getFirstHeader("retry-after")).map(Header::getValue);
    }

    private static void finish(ClassicHttpResponse answer, ExchangeProgress exchange) {
        try (answer) {
            if (!endsSoon(answer.getEntity())) {
                exchange.cut(); // closing alone would read on, to the end
            }
        } catch (IOException brokenOff) {
            exchange.cut();
        }
    }

    private static boolean endsSoon(@Nullable HttpEntity body) throws IOException {
        if (body == null) {
            return true;
        }
        return body.getContent().readNBytes(MOST_READ + 1).length <= MOST_READ;
    }

    @Override
    public void close() {
        deadlines.close();
        clients.values().forEach(EndpointClient::close);
    }
}
