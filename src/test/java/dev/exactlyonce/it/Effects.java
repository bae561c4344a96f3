package dev.exactlyonce.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where handlers leave their effects: counted here, outside the servers. A handler may also wait here at a gate, until
 * the test opens it.
 */
final class Effects {
    /** One for all tests of this JVM, since a WAR's configuration names it. */
    static final Effects SHARED = new Effects();

    private final HttpServer server;
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final Map<String, Section> sections = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

    private Effects() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/effect/", this::count);
        server.createContext("/gate/", this::hold);
        server.createContext("/enter/", this::enter);
        server.createContext("/leave/", this::leave);
        server.createContext("/write/", this::write);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "effects");
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
    }

    /** How many were between enter and leave at once, at most. */
    int mostAtOnce(String section) {
        return section(section).most;
    }

    private Section section(String name) {
        return sections.computeIfAbsent(name, it -> new Section());
    }

    private void enter(HttpExchange exchange) throws IOException {
        section(last(exchange)).enter();
        answer(exchange);
    }

    private void leave(HttpExchange exchange) throws IOException {
        section(last(exchange)).leave();
        answer(exchange);
    }

    /** A write as a database takes it that compares fences: 409 for one that is not greater than the last. */
    private void write(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/", -1);
        boolean isTaken = section(path[2]).write(Long.parseLong(path[3]));
        exchange.sendResponseHeaders(isTaken ? 204 : 409, -1);
        exchange.close();
    }

    /** What only one may be in at a time. */
    private static final class Section {
        private int inside;
        private volatile int most;
        private long fence;

        synchronized void enter() {
            inside++;
            most = Math.max(most, inside);
        }

        synchronized void leave() {
            inside--;
        }

        synchronized boolean write(long next) {
            boolean isGreater = next > fence;
            fence = Math.max(fence, next);
            return isGreater;
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int count(String effect) {
        AtomicInteger count = counts.get(effect);
        return count == null ? 0 : count.get();
    }

    List<Integer> counts(List<String> effects) {
        return effects.stream().map(this::count).toList();
    }

    void open(String gate) {
        gate(gate).countDown();
    }

    private CountDownLatch gate(String name) {
        return gates.computeIfAbsent(name, it -> new CountDownLatch(1));
    }

    private void count(HttpExchange exchange) throws IOException {
        counts.computeIfAbsent(last(exchange), it -> new AtomicInteger()).incrementAndGet();
        answer(exchange);
    }

    private void hold(HttpExchange exchange) throws IOException {
        try {
            gate(last(exchange)).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        answer(exchange);
    }

    private static String last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }
}
