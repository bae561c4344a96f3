package dev.exactlyonce.sender.http;

import dev.exactlyonce.sender.Endpoint;
import java.io.IOException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * The client of one endpoint, with connections that no other endpoint shares or waits for. It posts, and does nothing else
 * that a client can do: no redirects, retries, cookies, logins, proxies and decompression. Thread-safe.
 */
final class EndpointClient implements AutoCloseable {
    private static final String USER_AGENT = "exactly-once/1";

    /** So that a name that moved is looked up again. */
    private static final TimeValue LONGEST_USE = TimeValue.ofMinutes(5);

    private final HttpHost host;
    private final SsrfSafeDnsResolver addresses;
    private final CloseableHttpClient client;

    EndpointClient(Endpoint endpoint, TransportTimeouts timeouts, HostLookup lookup, SSLContext tls) {
        this.host = new HttpHost(endpoint.scheme(), endpoint.host(), endpoint.port());
        this.addresses =
                new SsrfSafeDnsResolver(lookup, endpoint.allowPrivate(), timeouts.toConnect(), endpoint.concurrency());
        this.client = client(connections(endpoint, timeouts, addresses, tls), timeouts);
    }

    /** The answer's head, with its body still to be read; closing it gives the connection back, or ends it. */
    ClassicHttpResponse send(ExchangeProgress exchange) throws IOException {
        return client.executeOpen(host, exchange.request(), exchange.context());
    }

    private static CloseableHttpClient client(
            PoolingHttpClientConnectionManager connections, TransportTimeouts timeouts) {
        RequestConfig requests = RequestConfig.custom()
                .setConnectionRequestTimeout(timeout(timeouts.toConnect()))
                .setResponseTimeout(timeout(timeouts.forAnswer()))
                .setAuthenticationEnabled(false)
                .setProtocolUpgradeEnabled(false)
                .build();
        return HttpClientBuilder.create()
                .setConnectionManager(connections)
                .setRoutePlanner(new DefaultRoutePlanner(DefaultSchemePortResolver.INSTANCE))
                .setDefaultRequestConfig(requests)
                .setUserAgent(USER_AGENT)
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .disableConnectionState()
                .addExecInterceptorAfter(ChainElement.CONNECT.name(), "sending", (request, scope, chain) -> {
                    ExchangeProgress.in(scope.clientContext).isAt(ExchangeProgress.Stage.SENDING);
                    return chain.proceed(request, scope);
                })
                .build();
    }

    private static PoolingHttpClientConnectionManager connections(
            Endpoint endpoint, TransportTimeouts timeouts, SsrfSafeDnsResolver addresses, SSLContext tls) {
        ConnectionConfig connections = ConnectionConfig.custom()
                .setConnectTimeout(timeout(timeouts.toConnect()))
                .setSocketTimeout(timeout(timeouts.forAnswer()))
                .setValidateAfterInactivity(TimeValue.of(timeouts.unchecked()))
                .setTimeToLive(LONGEST_USE)
                .build();
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnTotal(endpoint.concurrency())
                .setMaxConnPerRoute(endpoint.concurrency())
                .setDnsResolver(addresses)
                .setDefaultConnectionConfig(connections)
                .setDefaultSocketConfig(
                        SocketConfig.custom().setSoKeepAlive(true).build())
                .setDefaultTlsConfig(TlsConfig.custom()
                        .setHandshakeTimeout(timeout(timeouts.toConnect()))
                        .build())
                .setTlsSocketStrategy(watched(new DefaultClientTlsStrategy(tls)))
                .build();
    }

    private static TlsSocketStrategy watched(TlsSocketStrategy handshake) {
        return (socket, target, port, attachment, context) -> {
            ExchangeProgress.in(context).isAt(ExchangeProgress.Stage.IN_HANDSHAKE);
            return handshake.upgrade(socket, target, port, attachment, context);
        };
    }

    private static Timeout timeout(Duration time) {
        return Timeout.of(time);
    }

    @Override
    public void close() {
        client.close(CloseMode.IMMEDIATE);
        addresses.close();
    }
}
