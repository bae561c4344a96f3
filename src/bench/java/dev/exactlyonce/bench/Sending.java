package dev.exactlyonce.bench;

import dev.exactlyonce.it.Wars;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.Sender;
import dev.exactlyonce.sender.SenderEvent;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sender.WebhookEvent;
import dev.exactlyonce.sender.dispatch.SenderBuilder;
import dev.exactlyonce.sender.http.ApacheTransport;
import dev.exactlyonce.sender.sql.SqlOutbox;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/**
 * Events that are enqueued, signed, delivered and written down as delivered, beside the bare HTTP client that posts the
 * same bytes: 16 threads each, to the same endpoint of a server on this machine.
 */
final class Sending {
    private static final int THREADS = 16;
    private static final Duration WARM_UP = Duration.ofSeconds(Integer.getInteger("bench.warm-up", 20));
    private static final Duration TURN = Duration.ofSeconds(Integer.getInteger("bench.turn", 10));
    private static final byte[] BODY = Post.EVENT.getBytes(StandardCharsets.UTF_8);

    /** Enough for every thread, and few enough that none outruns the deliveries. */
    private static final int MOST_UNDELIVERED = 512;

    private final Numbers numbers;
    private final AtomicLong lastKey = new AtomicLong();

    Sending(Numbers numbers) {
        this.numbers = numbers;
    }

    void run() throws Exception {
        Path home = Path.of(System.getProperty("liberty.home"));
        int port = Integer.getInteger("bench.http.port");
        var war = Wars.configured(Wars.of("receiver", Hook.App.class, Hook.Bare.class), "exactlyonce.store=memory");
        Path folder = BenchFolder.create();
        Semaphore undelivered = new Semaphore(MOST_UNDELIVERED);
        URI url = URI.create("http://localhost:" + port + "/receiver/bare");
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (BenchServer server = BenchServer.start(home, List.of(war));
                CloseableHttpClient client = client();
                Sender sender = sender(url, folder, undelivered)) {
            server.await(port, List.of("/receiver/bare"));
            System.out.println("sending, warming up");
            bare(threads, client, url, WARM_UP);
            events(threads, sender, undelivered, WARM_UP);
            for (int round = 1; round <= Bench.ROUNDS; round++) {
                System.out.printf("sending, round %d of %d%n", round, Bench.ROUNDS);
                double bare = bare(threads, client, url, TURN);
                double events = events(threads, sender, undelivered, TURN);
                numbers.add("requests/s, bare HTTP client", bare);
                numbers.add("events/s, enqueued and delivered", events);
                numbers.addRatio("events to bare requests", events / bare);
            }
        } finally {
            threads.shutdownNow();
            BenchFolder.delete(folder);
        }
    }

    private static CloseableHttpClient client() {
        return HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(THREADS)
                        .setMaxConnTotal(THREADS)
                        .build())
                .disableAutomaticRetries()
                .build();
    }

    private static Sender sender(URI url, Path folder, Semaphore undelivered) {
        Endpoint endpoint = Endpoint.builder("receiver", url)
                .secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
                .allowPrivate(true)
                .concurrency(THREADS)
                .build();
        return new SenderBuilder(SenderSettings.of(List.of(endpoint)))
                .outbox(SqlOutbox.sqlite(
                        new SqliteSettings(folder.resolve("outbox.db"), Duration.ofSeconds(30)),
                        InstantSource.system()))
                .transport(new ApacheTransport())
                .listener(event -> {
                    if (!(event instanceof SenderEvent.Delivered)) {
                        throw new IllegalStateException("wrong: " + event);
                    }
                    undelivered.release();
                })
                .clock(InstantSource.system())
                .nanoTime(System::nanoTime)
                .random(() -> ThreadLocalRandom.current().nextLong())
                .open();
    }

    private interface Work {
        void once() throws Exception;
    }

    private static double bare(ExecutorService threads, CloseableHttpClient client, URI url, Duration time)
            throws Exception {
        return perSecond(
                threads,
                time,
                () -> {
                    HttpPost post = new HttpPost(url);
                    post.setEntity(new ByteArrayEntity(BODY, ContentType.APPLICATION_JSON));
                    int status = client.execute(post, answer -> {
                        EntityUtils.consume(answer.getEntity());
                        return answer.getCode();
                    });
                    if (status != 200) {
                        throw new IllegalStateException("wrong: " + status);
                    }
                },
                () -> {});
    }

    private double events(ExecutorService threads, Sender sender, Semaphore undelivered, Duration time)
            throws Exception {
        return perSecond(
                threads,
                time,
                () -> {
                    undelivered.acquire();
                    EventKey key = new EventKey("event-" + lastKey.incrementAndGet());
                    sender.webhooks().send("receiver", WebhookEvent.bytes(key, BODY, "application/json"));
                },
                () -> {
                    undelivered.acquireUninterruptibly(MOST_UNDELIVERED); // every one is delivered and written down
                    undelivered.release(MOST_UNDELIVERED);
                });
    }

    /** How often a second all threads do it, until the last one has had its effect. */
    private static double perSecond(ExecutorService threads, Duration time, Work work, Runnable awaitAll)
            throws Exception {
        long start = System.nanoTime();
        List<Future<Long>> counts = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            counts.add(threads.submit(() -> {
                long count = 0;
                while (System.nanoTime() - start < time.toNanos()) {
                    work.once();
                    count++;
                }
                return count;
            }));
        }
        long all = 0;
        for (Future<Long> count : counts) {
            all += count.get();
        }
        awaitAll.run();
        return all * 1e9 / (System.nanoTime() - start);
    }
}
