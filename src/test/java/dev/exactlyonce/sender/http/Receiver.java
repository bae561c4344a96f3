package dev.exactlyonce.sender.http;

import dev.exactlyonce.sender.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/** A receiver over plain sockets, at 127.0.0.1 alone: reads every byte, and answers what the test says. */
public final class Receiver implements AutoCloseable {
    /** What it says to a request; the connection stays open unless this closes or throws. */
    @FunctionalInterface
    public interface Script {
        void answer(Request request, OutputStream out) throws Exception;
    }

    /** @param body a character for each byte */
    public record Request(String line, List<String> headers, String body) {}

    private final ServerSocket server;
    private final String scheme;
    private final Script script;
    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final CountDownLatch closing = new CountDownLatch(1);

    private Receiver(ServerSocketFactory factory, String scheme, Script script) {
        try {
            this.server = factory.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.scheme = scheme;
        this.script = script;
        daemon(this::accept);
    }

    public static Receiver start(Script script) {
        return new Receiver(ServerSocketFactory.getDefault(), "http", script);
    }

    static Receiver start(ServerSocketFactory tls, Script script) {
        return new Receiver(tls, "https", script);
    }

    /** An answer without a body. */
    public static Script status(int status, String... headers) {
        String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return raw("HTTP/1.1 " + status + " Whatever\r\n" + more + "Content-Length: 0\r\n\r\n");
    }

    static Script raw(String bytes) {
        return (request, out) -> out.write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Says nothing more, for as long as this receiver is there. */
    public void fallSilent() throws InterruptedException {
        closing.await();
    }

    public URI at(String path) {
        return URI.create(scheme + "://localhost:" + port() + path);
    }

    public int port() {
        return server.getLocalPort();
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    int connections() {
        return sockets.size();
    }

    /** How many connections are closed at this end. */
    int ended() {
        return ended.get();
    }

    /** May be called at this machine, and over http. */
    public static Endpoint endpoint(URI url) {
        return endpoint(url, true, Endpoint.DEFAULT_CONCURRENCY);
    }

    static Endpoint endpoint(URI url, boolean allowPrivate, int concurrency) {
        return Endpoint.builder("receiver", url)
                .secret("a-secret-of-16-chars")
                .breaker(Endpoint.BreakerPolicy.NONE)
                .allowHttp(true)
                .allowPrivate(allowPrivate)
                .maxBodySize(Endpoint.LARGEST_BODY)
                .concurrency(concurrency)
                .build();
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "receiver");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (true) {
            try {
                Socket socket = server.accept();
                sockets.add(socket);
                daemon(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            while (!socket.isClosed()) {
                Optional<Request> request = read(socket.getInputStream());
                if (request.isEmpty()) {
                    break;
                }
                requests.add(request.get());
                script.answer(request.get(), socket.getOutputStream());
            }
        } catch (Exception gone) {
            // the sender hung up, or the script did
        } finally {
            ended.incrementAndGet();
        }
    }

    private static Optional<Request> read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int read = in.read();
            if (read < 0) {
                return Optional.empty();
            }
            head.write(read);
        }
        List<String> lines =
                head.toString(StandardCharsets.ISO_8859_1).strip().lines().toList();
        int length = lines.stream()
                .filter(it -> it.startsWith("Content-Length: "))
                .mapToInt(it -> Integer.parseInt(it.substring("Content-Length: ".length())))
                .findFirst()
                .orElse(0);
        String body = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
        return Optional.of(new Request(lines.get(0), lines.subList(1, lines.size()), body));
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
