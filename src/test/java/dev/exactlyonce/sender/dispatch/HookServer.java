package dev.exactlyonce.sender.dispatch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A real HTTP server that takes webhooks, and answers each as the test says. */
public final class HookServer implements AutoCloseable {
    /** A request as it came. */
    public record Request(Map<String, List<String>> headers, String body) {
        public String header(String name) {
            return headers.get(name).get(0);
        }

        public String key() {
            return header("Idempotency-key");
        }
    }

    /** What to answer. */
    public record Reply(int status, Map<String, String> headers) {
        public static Reply of(int status) {
            return new Reply(status, Map.of());
        }

        public static Reply of(int status, String retryAfter) {
            return new Reply(status, Map.of("Retry-After", retryAfter));
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile Function<Request, Reply> replies = any -> Reply.of(200);

    private HookServer(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Listens on a free port of the loopback. */
    public static HookServer start() {
        try {
            return new HookServer(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Request request = new Request(
                    Map.copyOf(exchange.getRequestHeaders()),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            requests.add(request);
            Reply reply = replies.apply(request);
            reply.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            exchange.sendResponseHeaders(reply.status(), -1);
        }
    }

    public HookServer answering(int status) {
        return answering(any -> Reply.of(status));
    }

    public HookServer answering(Function<Request, Reply> how) {
        replies = how;
        return this;
    }

    /** In the order of their coming. */
    public List<Request> requests() {
        return requests;
    }

    public URI url() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/hook");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
