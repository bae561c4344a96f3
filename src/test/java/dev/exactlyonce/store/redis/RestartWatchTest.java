package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class RestartWatchTest {
    private static final String NONE = "0".repeat(40);
    private static final String ONE = "8371b4fb1155b71f4a04d3e1bc3e18c4a990aeeb";
    private static final String OTHER = "cb6d6a3d1ecb0bf6b29a9df9ddf7b2e0b5bdc1ab";

    private final Watched watched = new Watched();
    private final RestartWatch watch = new RestartWatch(watched, Runnable::run);

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
    void anotherRunIsToldOnce() {
        saw("a", info("run-1", "replication-1"));
        saw("a", info("run-2", "replication-2"));
        saw("a", info("run-2", "replication-2"));

        assertThat(watched.restarts).hasValue(1);
    }

    @Test
    void anotherMasterOfTheSameDataIsTold() {
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
    void anAnswerWithoutARunIsNotLookedAt() {
        saw("a", info("run-1", "replication-1"));
        saw("a", "# Server\r\n");
        saw("a", info("run-1", "replication-1"));

        assertThat(watched.restarts).hasValue(0);
        assertThat(watched.told).hasValue(2);
    }

    @Test
    void aWatcherThatFailsOrAnExecutorThatIsGoneHarmsNobody() {
        RestartWatch failing = new RestartWatch(
                new RedisStore.Watcher() {
                    @Override
                    public void restarted() {
                        throw new IllegalStateException("on purpose");
                    }

                    @Override
                    public void mayEvict(boolean may) {
                        throw new IllegalStateException("on purpose");
                    }
                },
                Runnable::run);
        failing.saw("a", failing.ask(), info("run-1", "replication-1"));
        failing.saw("a", failing.ask(), info("run-2", "replication-1"));
        RestartWatch gone = new RestartWatch(watched, work -> {
            throw new RejectedExecutionException();
        });
        gone.saw("a", gone.ask(), info("run-1", "replication-1"));

        assertThat(watched.told).hasValue(0);
    }
}
