package dev.exactlyonce.signature;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server with files in it, which remembers what it was asked for. */
final class FileServer implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    FileServer(HttpServer server) {
        this.server = server;
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** On a port of its own. */
    static FileServer start() throws IOException {
        return new FileServer(HttpServer.create(anyPort(), 0));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(path);
        try (exchange) {
            if (path.equals("/stuck")) {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write('-');
                exchange.getResponseBody().flush();
            }
            gate.await();
            byte[] file = files.get(path);
            if (path.equals("/stuck")) {
                return;
            }
            if (path.startsWith("/moved/")) {
                exchange.getResponseHeaders().add("Location", path.substring("/moved".length()));
                exchange.sendResponseHeaders(302, -1);
            } else if (file == null) {
                exchange.sendResponseHeaders(404, -1);
            } else {
                exchange.sendResponseHeaders(200, path.startsWith("/chunked") ? 0 : file.length);
                exchange.getResponseBody().write(file);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    int port() {
        return server.getAddress().getPort();
    }

    void put(String path, byte[] file) {
        files.put(path, file);
    }

    /** What was asked for, in order. */
    List<String> asked() {
        return asked;
    }

    /** Answers nothing until the latch opens; of {@code /stuck}, the first byte and nothing more. */
    void holdUntil(CountDownLatch latch) {
        gate = latch;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
