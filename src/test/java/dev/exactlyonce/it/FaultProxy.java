package dev.exactlyonce.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a sender and its receiver and does to requests what a network does: loses some before and some after they
 * were taken, holds some up, doubles some, and answers some itself with 500 or 429. What it does is drawn from a seed.
 */
final class FaultProxy implements AutoCloseable {
    private static final Set<String> ITS_OWN = Set.of("host", "connection", "content-length", "expect", "upgrade");

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger faults = new AtomicInteger();
    private final HttpServer server;
    private final URI receiver;
    private final Random random;
    private volatile boolean isHarmless;

    FaultProxy(String receiver, long seed) throws IOException {
        this.receiver = URI.create(receiver);
        this.random = new Random(seed);
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    /** From now on it only passes on. */
    void heal() {
        isHarmless = true;
    }

    int faults() {
        return faults.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            int drawn;
            synchronized (random) {
                drawn = isHarmless ? 99 : random.nextInt(100);
            }
            faults.addAndGet(drawn < 35 ? 1 : 0);
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (drawn < 5) {
                return; // lost on its way: the connection ends without an answer
            } else if (drawn < 15) {
                answer(exchange, drawn < 10 ? 500 : 429);
                return;
            } else if (drawn < 20) {
                TimeUnit.MILLISECONDS.sleep(drawn * 10L);
            } else if (drawn < 25) {
                forward(exchange, body); // and once more
            } else if (drawn < 30) {
                forward(exchange, body); // taken, and the answer is lost
                return;
            }
            HttpResponse<byte[]> answer = forward(exchange, body);
            answer.headers()
                    .firstValue("Retry-After")
                    .ifPresent(it -> exchange.getResponseHeaders().set("Retry-After", it));
            answer(exchange, drawn < 35 && drawn >= 30 ? 502 : answer.statusCode());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(receiver).timeout(Duration.ofSeconds(30)).POST(BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!ITS_OWN.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(it -> request.header(name, it));
            }
        });
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
