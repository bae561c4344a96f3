package dev.exactlyonce.store.redis;

import dev.exactlyonce.redis.RedisSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A network that can be broken on purpose: stands before a Redis, on a port of its own of the loopback interface. */
public final class RedisProxy implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;

    private volatile int target;
    private final int port;
    private final Set<Line> lines = ConcurrentHashMap.newKeySet();
    private final AtomicReference<String> losing = new AtomicReference<>("");
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger cutsBegun = new AtomicInteger();
    private final AtomicInteger cutsEnded = new AtomicInteger();
    private final Object stall = new Object();
    private volatile boolean paused;
    private volatile ServerSocket door;

    private RedisProxy(int target) throws IOException {
        this.target = target;
        this.door = open(0);
        this.port = door.getLocalPort();
    }

    public static RedisProxy to(RedisProcess redis) {
        try {
            return new RedisProxy(redis.port());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ServerSocket open(int wanted) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
        daemon(() -> accept(socket));
        return socket;
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "redis-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(ServerSocket socket) {
        while (true) {
            Socket client = null;
            try {
                client = socket.accept();
                new Line(client, new Socket(InetAddress.getLoopbackAddress(), target)).start();
            } catch (IOException e) {
                if (socket.isClosed()) {
                    return;
                }
                closeQuietly(client); // the server is away
            }
        }
    }

    public int port() {
        return port;
    }

    /** Sends new connections to another Redis; those that there are stay. */
    public void leadTo(RedisProcess redis) {
        target = redis.port();
    }

    /** The settings of a store that comes through here. */
    public RedisSettings settings(Duration timeout) {
        return RedisProcess.settings(port, timeout);
    }

    /**
     * The next command that has this in it reaches Redis, and is answered; but the answer is lost, and its connection with
     * it.
     */
    public void loseReplyTo(String command) {
        losing.set(command);
    }

    /** How many replies have been lost. */
    public int lost() {
        return lost.get();
    }

    /** How many cuts of connections have begun: if more than had ended when a call began, it may have been repeated. */
    public int cutsBegun() {
        return cutsBegun.get();
    }

    public int cutsEnded() {
        return cutsEnded.get();
    }

    /** Lets nothing through any more, in either direction; connections stay. */
    public void pause() {
        paused = true;
    }

    public void resume() {
        synchronized (stall) {
            paused = false;
            stall.notifyAll();
        }
    }

    /** Closes every connection. */
    public void cut() {
        lines.forEach(Line::close);
    }

    /** Closes every connection, and refuses new ones. */
    public void refuse() {
        closeQuietly(door);
        cut();
    }

    /** Takes connections again. */
    public void admit() {
        try {
            door = open(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        refuse();
        resume();
    }

    private static void closeQuietly(AutoCloseable it) {
        try {
            if (it != null) {
                it.close();
            }
        } catch (Exception ignored) {
            // it is gone either way
        }
    }

    private final class Line {
        private final Socket client;
        private final Socket server;
        private volatile boolean losesReply;

        Line(Socket client, Socket server) throws IOException {
            this.client = client;
            this.server = server;
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        }

        void start() {
            lines.add(this);
            daemon(() -> pump(client, server, true));
            daemon(() -> pump(server, client, false));
        }

        private void pump(Socket from, Socket to, boolean toServer) {
            byte[] buffer = new byte[BUFFER];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    awaitResume();
                    if (toServer) {
                        look(new String(buffer, 0, read, StandardCharsets.UTF_8));
                    } else if (losesReply) {
                        lost.incrementAndGet();
                        return;
                    }
                    out.write(buffer, 0, read);
                }
            } catch (IOException | InterruptedException cut) {
                // as a cut network would
            } finally {
                close();
            }
        }

        private void look(String commands) {
            String wanted = losing.get();
            if (!wanted.isEmpty() && commands.contains(wanted) && losing.compareAndSet(wanted, "")) {
                losesReply = true;
            }
        }

        private void awaitResume() throws InterruptedException {
            synchronized (stall) {
                while (paused) {
                    stall.wait();
                }
            }
        }

        void close() {
            cutsBegun.incrementAndGet();
            lines.remove(this);
            closeQuietly(client);
            closeQuietly(server);
            cutsEnded.incrementAndGet();
        }
    }
}
