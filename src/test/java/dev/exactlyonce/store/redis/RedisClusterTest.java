package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.redis.NoNettyThreadLocals;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A Cluster of two masters. The client never looks at it again by itself, so what it is redirected to it must follow. */
@Timeout(120)
@ExtendWith(NoNettyThreadLocals.class)
class RedisClusterTest {
    private static final Duration PATIENT = Duration.ofSeconds(10);
    private static final Duration TTL = Duration.ofHours(1);
    private static final int SLOTS = 16_384;

    private static RedisProcess one;
    private static RedisProcess two;

    @TempDir
    Path folder;

    @BeforeAll
    static void formACluster() {
        one = startNode();
        two = startNode();
        one.command(addSlots(0, SLOTS / 2));
        two.command(addSlots(SLOTS / 2, SLOTS));
        one.command("CLUSTER", "MEET", two.host(), Integer.toString(two.port()));
        for (RedisProcess node : List.of(one, two)) {
            await().until(() -> node.command("CLUSTER", "INFO").contains("cluster_slots_ok:" + SLOTS)
                    && node.command("CLUSTER", "INFO").contains("cluster_state:ok"));
        }
    }

    private static RedisProcess startNode() {
        return RedisProcess.start(
                "cluster-enabled yes",
                "cluster-require-full-coverage no",
                "user plain on nopass ~* +@all -@scripting",
                DocumentedAcl.line("a Cluster") + " -info");
    }

    private static String[] addSlots(int from, int to) {
        return Stream.concat(
                        Stream.of("CLUSTER", "ADDSLOTS"),
                        IntStream.range(from, to).mapToObj(Integer::toString))
                .toArray(String[]::new);
    }

    @AfterAll
    static void end() {
        one.close();
        two.close();
    }

    @BeforeEach
    void empty() {
        one.command("FLUSHALL");
        two.command("FLUSHALL");
    }

    private final Watched watched = new Watched();

    private RedisStore open(String prefix, String... more) throws IOException {
        Path file = folder.resolve("redisson.yaml");
        Files.writeString(file, """
                clusterServersConfig:
                  nodeAddresses: ["redis://%s:%d"]
                  scanInterval: 600000
                %s""".formatted(one.host(), one.port(), String.join("\n", more)));
        RedisSettings.Server ignored = RedisSettings.Server.DEFAULT;
        return RedisStoreContract.connected(new RedisStore(
                new RedisSettings(ignored, Optional.of(file), prefix, PATIENT, 0),
                watched,
                new RedisStore.Application("shop", TTL)));
    }

    private static Claim claim(String part) {
        return Claim.fresh(DeliveryKey.of("github", "POST /", List.of(part)), Fingerprint.NONE, Duration.ofMinutes(5));
    }

    private static Claim rivalOf(Claim claim) {
        return Claim.fresh(claim.key(), claim.fingerprint(), claim.lease());
    }

    private static List<Claim> claims(int count) {
        return IntStream.range(0, count).mapToObj(i -> claim("k" + i)).toList();
    }

    private static int keysOf(RedisProcess node) {
        return (int) node.command("KEYS", "*hookidem:*")
                .lines()
                .filter(it -> !it.contains("hookidem-fence"))
                .count();
    }

    private static void assertGranted(RedisStore store, Claim claim) {
        assertThat(store.reserve(claim)).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void everyKeyIsKeptByItsOwnMaster() throws Exception {
        try (RedisStore store = open("p:")) {
            List<Claim> claims = claims(60);
            claims.forEach(claim -> assertGranted(store, claim));
            assertThat(store.renewAll(claims)).containsOnly(Renewal.HELD);
            claims.forEach(claim ->
                    assertThat(store.record(claim, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Written.class));
            claims.forEach(claim -> assertThat(store.reserve(rivalOf(claim)))
                    .isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(200))));

            assertThat(keysOf(one)).isPositive();
            assertThat(keysOf(two)).isPositive();
            assertThat(keysOf(one) + keysOf(two)).isEqualTo(60);
        }
    }

    @Test
    void withoutScriptsItIsTheSame() throws Exception {
        try (RedisStore store = open("p:", "username: plain", "password: any")) {
            List<Claim> claims = claims(60);
            assertThat(store.renewAll(claims)).containsOnly(Renewal.HELD);
            claims.forEach(claim ->
                    assertThat(store.record(claim, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Written.class));
            assertThat(store.renewAll(claims.stream().map(it -> rivalOf(it)).toList()))
                    .containsOnly(Renewal.LOST);
        }
    }

    private static int markersOf(RedisProcess node) {
        return (int) node.command("KEYS", "*hookidem-marker:*").lines().count();
    }

    @Test
    void aMasterThatLostItsKeysIsNoticedWhereInfoIsNotPermitted() throws Exception {
        try (RedisStore store = open("exactlyonce:", "username: shop", "password: a-long-password")) {
            claims(40).forEach(claim -> assertGranted(store, claim));
            await().until(() -> markersOf(one) == 1 && markersOf(two) == 1);
            String marker = two.command("KEYS", "*hookidem-marker:*");
            await().until(() -> Integer.parseInt(two.command("GET", marker)) > 1);
            two.restart();

            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                    .until(() -> {
                        claims(40).forEach(store::reserve);
                        return watched.restarts.get() > 0;
                    });
            assertThat(watched.hidden).containsExactly(RedisStore.Hidden.RESTARTS);
        }
    }

    @Test
    void theApplicationIsEnteredAtOneMaster() throws Exception {
        try (RedisStore store = open("p:")) {
            await().until(() -> Stream.of(one, two)
                            .map(node -> node.command("KEYS", "p:applications"))
                            .filter("p:applications"::equals)
                            .count()
                    == 1);
            store.probe();
        }
    }

    @Test
    void aSlotThatMovesIsFollowedWhileItMovesAndAfterwards() throws Exception {
        String slot = one.command("CLUSTER", "KEYSLOT", "{moving}");
        boolean ofOne = Integer.parseInt(slot) < SLOTS / 2;
        RedisProcess from = ofOne ? one : two;
        RedisProcess to = ofOne ? two : one;
        String fromId = from.command("CLUSTER", "MYID");
        String toId = to.command("CLUSTER", "MYID");
        try (RedisStore store = open("{moving}:")) {
            Claim before = claim("before");
            assertGranted(store, before);
            to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
            from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
            Claim during = claim("during");
            assertGranted(store, during);
            assertThat(keysOf(to)).isEqualTo(1);
            assertThat(store.reserve(rivalOf(during))).isInstanceOf(Reservation.AlreadyClaimed.class);
            assertThat(store.reserve(rivalOf(before))).isInstanceOf(Reservation.AlreadyClaimed.class);
            for (String key :
                    from.command("CLUSTER", "GETKEYSINSLOT", slot, "10").lines().toList()) {
                from.command("MIGRATE", to.host(), Integer.toString(to.port()), key, "0", "5000");
            }
            to.command("CLUSTER", "SETSLOT", slot, "NODE", toId);
            from.command("CLUSTER", "SETSLOT", slot, "NODE", toId);

            assertThat(store.record(before, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Written.class);
            assertThat(store.record(during, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Written.class);
            assertGranted(store, claim("after"));
            assertThat(keysOf(from)).isZero();
            assertThat(keysOf(to)).isEqualTo(3);
        }
    }

    @Test
    void aMasterThatIsAwayTakesOnlyItsOwnKeysWithIt() throws Exception {
        try (RedisStore store = open("p:")) {
            List<Claim> claims = claims(40);
            claims.forEach(claim -> assertGranted(store, claim));
            int ofOne = keysOf(one);
            two.kill();
            List<Boolean> available = claims.stream()
                    .map(claim -> {
                        try {
                            return store.reserve(rivalOf(claim)) instanceof Reservation.AlreadyClaimed;
                        } catch (StoreUnavailableException away) {
                            return false;
                        }
                    })
                    .toList();
            assertThat(available).filteredOn(it -> it).hasSize(ofOne);
            assertThat(store.renewAll(claims)).filteredOn(Renewal.HELD::equals).hasSize(ofOne);
            two.restart();

            await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                    .untilAsserted(() -> assertThat(store.renewAll(claims)).containsOnly(Renewal.HELD));
        }
    }
}
