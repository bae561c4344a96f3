package dev.exactlyonce.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A sender of webhooks. */
final class Http {
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final String base;

    Http(String base) {
        this.base = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(60));
    }

    HttpRequest delivery(String path, String key) {
        return request(path)
                .header("Idempotency-Key", key)
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("body"))
                .build();
    }

    HttpResponse<String> post(String path, String key) {
        return send(delivery(path, key));
    }

    static CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
        return CLIENT.sendAsync(request, BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET().build());
    }

    static HttpResponse<String> send(HttpRequest request) {
        return send(request, BodyHandlers.ofString());
    }

    static HttpResponse<byte[]> sendForBytes(HttpRequest request) {
        return send(request, BodyHandlers.ofByteArray());
    }

    private static <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
        try {
            return CLIENT.send(request, handler);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
