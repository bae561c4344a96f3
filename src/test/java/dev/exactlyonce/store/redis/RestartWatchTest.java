package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class RestartWatchTest {
    private static final String NONE = "0".repeat(40);
    private static final String ONE = "8371b4fb1155b71f4a04d3e1bc3e18c4a990aeeb";
    private static final String OTHER = "cb6d6a3d1ecb0bf6b29a9df9ddf7b2e0b5bdc1ab";

    private final Watched watched = new Watched();
    private final RestartWatch watch = new RestartWatch(watched);

    private static String info(String run, String replication, String memory, String policy) {
        return "# Server\r\nredis_version:6.2.6\r\nrun_id:" + run + "\r\n\r\n# Memory\r\nmaxmemory:" + memory
                + "\r\nmaxmemory_policy:" + policy + "\r\n# Replication\r\nrole:master\r\nmaster_replid:" + replication
                + "\r\n";
    }

    private static String info(String run, String replication) {
        return info(run, replication, "0", "noeviction");
    }

    private static String info(String replication, String former, int replicas) {
        return "# Server\r\nredis_version:6.2.6\r\nrun_id:7c3f0d1a3a4a2a44a1d1f1a3f8b5a5a0d1b7e9c2\r\n\r\n# Memory\r\n"
                + "maxmemory:0\r\nmaxmemory_policy:noeviction\r\n\r\n# Replication\r\nrole:master\r\nconnected_slaves:"
                + replicas + "\r\nmaster_failover_state:no-failover\r\nmaster_replid:" + replication
                + "\r\nmaster_replid2:" + former + "\r\nmaster_repl_offset:0\r\nsecond_repl_offset:-1\r\n";
    }

    private void saw(Object master, String info) {
        watch.saw(master, watch.ask(), info);
    }

    @Test
    void theFirstSightOfAMasterIsNoRestart() {
        saw("a", info("run-1", "replication-1"));
        saw("b", info("run-2", "replication-2"));

        assertThat(watched.restarts).hasValue(0);
    }

    @Test
    void aReconnectionToTheSameServerIsNoRestart() {
        saw("a", info("run-1", "replication-1"));
        saw("a", info("run-1", "replication-1"));

        assertThat(watched.restarts).hasValue(0);
    }

    @Test
    void anotherRunIsReportedOnce() {
        saw("a", info("run-1", "replication-1"));
        saw("a", info("run-2", "replication-2"));
        saw("a", info("run-2", "replication-2"));

        assertThat(watched.restarts).hasValue(1);
    }

    @Test
    void anotherMasterOfTheSameDataIsReported() {
        saw("a", info(ONE, NONE, 0));
        saw("a", info(OTHER, ONE, 0));
        saw("a", info(OTHER, ONE, 0));

        assertThat(watched.restarts).hasValue(1);
    }

    @Test
    void aFirstReplicaAndTheLossOfTheLastAreNoRestart() {
        saw("a", info(ONE, NONE, 0));
        saw("a", info(OTHER, NONE, 1));
        saw("a", info(ONE, NONE, 0));

        assertThat(watched.restarts).hasValue(0);
    }

    @Test
    void anAnswerThatComesAfterALaterOneIsNotLookedAt() {
        long early = watch.ask();
        long late = watch.ask();
        watch.saw("a", late, info("run-2", "replication-2"));
        watch.saw("a", early, info("run-1", "replication-1", "1", "allkeys-lru"));
        saw("a", info("run-2", "replication-2"));

        assertThat(watched.restarts).hasValue(0);
        assertThat(watched.mayEvict).isFalse();
    }

    @Test
    void aLimitWithAnyPolicyButNoEvictionMayEvict() {
        saw("a", info("run-1", "r", "0", "allkeys-lru"));
        assertThat(watched.mayEvict).isFalse();
        saw("a", info("run-1", "r", "1000", "noeviction"));
        assertThat(watched.mayEvict).isFalse();
        saw("a", info("run-1", "r", "1000", "volatile-ttl"));
        assertThat(watched.mayEvict).isTrue();
        saw("a", info("run-1", "r", "1000", "noeviction"));
        assertThat(watched.mayEvict).isFalse();
    }

    @Test
    void oneMasterThatMayEvictIsEnough() {
        saw("a", info("run-1", "r", "1000", "allkeys-lru"));
        saw("b", info("run-2", "r"));
        assertThat(watched.mayEvict).isTrue();
        saw("a", info("run-1", "r"));
        assertThat(watched.mayEvict).isFalse();
    }

    @Test
    void anAnswerWithoutARunOrAPolicyHidesRestarts() {
        saw("a", "# Server\r\n");
        assertThat(watched.hidden).containsExactly(RedisStore.Hidden.RESTARTS);
        assertThat(watched.reported).hasValue(0);
        saw("a", info("run-1", "replication-1"));
        assertThat(watched.hidden).isEmpty();
        saw("a", "run_id:run-1\r\nmaster_replid:replication-1\r\n");
        assertThat(watched.hidden).containsExactly(RedisStore.Hidden.RESTARTS);

        assertThat(watched.restarts).hasValue(0);
    }

    @Test
    void oneMasterThatHidesRestartsIsEnough() {
        saw("a", "");
        saw("b", info("run-1", "r"));
        assertThat(watched.hidden).containsExactly(RedisStore.Hidden.RESTARTS);
        assertThat(watch.isHidden("a")).isTrue();
        assertThat(watch.isHidden("b")).isFalse();
        saw("a", info("run-2", "r"));

        assertThat(watched.hidden).isEmpty();
        assertThat(watched.restarts).hasValue(0);
    }

    /** The server behind the address may be another one, whose ACL is another. */
    @Test
    void aRunThatIsHiddenAfterOneThatWasShownIsARestart() {
        saw("a", info("run-1", "replication-1"));
        saw("a", "");
        saw("a", "");

        assertThat(watched.restarts).hasValue(1);
    }

    @Test
    void aWatcherThatFailsOrAnExecutorThatIsClosedBreaksNothing() {
        RedisStore.Watcher failing = (RedisStore.Watcher) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RedisStore.Watcher.class}, (proxy, method, arguments) -> {
                    throw new AssertionError("on purpose");
                });
        for (RedisStore.Watcher safe :
                List.of(new SafeWatcher(failing, Runnable::run), new SafeWatcher(watched, work -> {
                    throw new RejectedExecutionException();
                }))) {
            safe.restarted();
            safe.mayEvict(true);
            safe.hidden(RedisStore.Hidden.RESTARTS, true);
            safe.sharedWith(new TreeSet<>());
        }

        assertThat(watched.reported).hasValue(0);
        assertThat(watched.restarts).hasValue(0);
    }
}
