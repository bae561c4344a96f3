package dev.exactlyonce.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Sends to one server over as many connections as threads, each waiting for its answer before it sends the next. */
final class Load implements AutoCloseable {
    private static final int CONNECTIONS = 16;

    private final int port;
    private final AtomicLong lastKey = new AtomicLong();
    private final ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);

    Load(int port) {
        this.port = port;
    }

    /** The requests a second of fresh keys. A wrong answer ends the run. */
    double fresh(String path, Duration time) throws Exception {
        return run(path, time, lastKey::incrementAndGet, false);
    }

    /** The requests a second of copies of one key that was recorded before. */
    double duplicates(String path, Duration time) throws Exception {
        long recorded = lastKey.incrementAndGet();
        try (Connection connection = new Connection(port)) {
            check(connection.send(new Post(path).numbered(recorded)), false);
        }
        return run(path, time, () -> recorded, true);
    }

    private interface Keys {
        long next();
    }

    private double run(String path, Duration time, Keys keys, boolean replayed) throws Exception {
        long start = System.nanoTime();
        List<Future<Long>> counts = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Callable<Long> task = () -> sendUntil(start + time.toNanos(), path, keys, replayed);
            counts.add(threads.submit(task));
        }
        long answers = 0;
        for (Future<Long> count : counts) {
            answers += count.get();
        }
        return answers * 1e9 / (System.nanoTime() - start);
    }

    private long sendUntil(long end, String path, Keys keys, boolean replayed) throws IOException {
        Post post = new Post(path);
        long count = 0;
        try (Connection connection = new Connection(port)) {
            while (System.nanoTime() - end < 0) {
                check(connection.send(post.numbered(keys.next())), replayed);
                count++;
            }
        }
        return count;
    }

    private static void check(Connection.Answer answer, boolean replayed) {
        if (answer.status() != 200 || answer.replayed() != replayed) {
            throw new IllegalStateException("wrong: " + answer);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
