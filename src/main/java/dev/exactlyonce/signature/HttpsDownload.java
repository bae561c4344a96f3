package dev.exactlyonce.signature;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** Fetches a small file: within a few seconds in all, and from the given address only. Thread-safe. */
final class HttpsDownload implements CertifiedKeys.Download {
    static final Duration PATIENCE = Duration.ofSeconds(5);
    static final int MOST_BYTES = 65_536;

    private static final Duration TO_CONNECT = Duration.ofSeconds(3);

    private final Supplier<SSLContext> tls;
    private final Duration patience;

    /** @param patience for everything, to the last byte */
    HttpsDownload(Supplier<SSLContext> tls, Duration patience) {
        this.tls = tls;
        this.patience = patience;
    }

    @Override
    public byte[] get(URI address) throws IOException {
        // One client a fetch, of which there are few: kept ones would keep a thread each, beyond the application's end.
        HttpClient client = HttpClient.newBuilder()
                .sslContext(tls.get())
                .connectTimeout(TO_CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        HttpRequest request = HttpRequest.newBuilder(address).timeout(patience).build();
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request, head -> new LimitedBody(MOST_BYTES));
        try {
            HttpResponse<byte[]> response = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() != 200) {
                throw new IOException("answered " + response.statusCode());
            }
            return response.body();
        } catch (ExecutionException failed) {
            throw new IOException("cannot be fetched", failed.getCause());
        } catch (TimeoutException late) {
            throw new IOException("not fetched within " + patience, late);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            answer.cancel(true); // closes the connection when it is not done
        }
    }
}
