package dev.exactlyonce.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackgroundThreadsTest {
    private static final Duration SOON = Duration.ofMillis(1);

    private final BackgroundThreads background = new BackgroundThreads();

    @AfterEach
    void close() {
        background.close();
    }

    @Test
    void aTaskThatThrowsWhateverItIsRunsAgain() {
        AtomicInteger runs = new AtomicInteger();
        List<Throwable> faults = List.of(
                new IllegalStateException("injected"),
                new NoClassDefFoundError("injected"),
                new StackOverflowError("injected"),
                new ThreadDeath());

        background.every("test-ticks", SOON, () -> {
            int run = runs.getAndIncrement();
            if (run < faults.size()) {
                BackgroundThreadsTest.<RuntimeException>sneak(faults.get(run));
            }
        });

        await().until(() -> runs.get() > faults.size());
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void aTaskThatIsInterruptedRunsAgain() {
        AtomicInteger runs = new AtomicInteger();
        background.every("test-ticks", SOON, () -> {
            runs.incrementAndGet();
            Thread.currentThread().interrupt();
        });

        await().until(() -> runs.get() > 2);
    }

    @Test
    void aTaskThatBlocksDelaysNoOther() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        background.every("test-guard", SOON, () -> {
            try {
                never.await();
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        });
        background.every("test-renewals", SOON, runs::incrementAndGet);
        for (int i = 0; i < 100; i++) {
            background.callbacks().execute(() -> unchecked(never));
            background.inOrder().execute(() -> unchecked(never));
        }

        await().until(() -> runs.get() > 10);
        never.countDown();
    }

    private static void unchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anEventWhoseFiringThrowsStopsNoOther() {
        List<String> fired = new CopyOnWriteArrayList<>();
        background.inOrder().execute(() -> {
            throw new NoClassDefFoundError("injected");
        });
        background.inOrder().execute(() -> fired.add("second"));

        await().until(() -> fired.equals(List.of("second")));
    }

    @Test
    void itsThreadsAreDaemonsWithTheClassLoaderOfTheApplicationAndEndWithIt() throws Exception {
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        try (URLClassLoader application = new URLClassLoader(new URL[0], before)) {
            current.setContextClassLoader(application);
            BackgroundThreads deployed = new BackgroundThreads();
            current.setContextClassLoader(before); // as a request of another application's would have it
            List<Thread> threads = new CopyOnWriteArrayList<>();
            deployed.every("test-ticks", SOON, () -> threads.add(Thread.currentThread()));
            deployed.inOrder().execute(() -> threads.add(Thread.currentThread()));
            deployed.callbacks().execute(() -> threads.add(Thread.currentThread()));
            await().until(() -> threads.stream().map(Thread::getName).distinct().count() == 3);

            assertThat(threads).allMatch(Thread::isDaemon);
            assertThat(threads.stream().map(Thread::getContextClassLoader))
                    .filteredOn(it -> it != application)
                    .isEmpty();
            deployed.close();
            await().until(() -> threads.stream().noneMatch(Thread::isAlive));
        }
    }
}
