package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.spi.StoreRisk;
import dev.exactlyonce.store.redis.RedisStore.Hidden;
import dev.exactlyonce.testkit.TestStoreContext;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RedisRisksTest {
    private final TestStoreContext context = new TestStoreContext(InstantSource.system());
    private final RedisRisks watcher = new RedisRisks(context);

    private static SortedSet<String> names(String... names) {
        return new TreeSet<>(List.of(names));
    }

    private List<String> reasons() {
        return List.copyOf(context.risks().values());
    }

    @Test
    void anotherApplicationOnThePrefixIsAFactThatNamesIt() {
        watcher.sharedWith(names("billing"));
        assertThat(reasons()).singleElement().asString().startsWith("redis prefix is shared with billing (");

        watcher.sharedWith(names("billing", "orders"));
        assertThat(reasons()).singleElement().asString().startsWith("redis prefix is shared with billing, orders (");

        watcher.sharedWith(names());
        assertThat(reasons()).isEmpty();
    }

    @Test
    void ofManyApplicationsAFewAreNamedAndWhateverTheyAreCalledIsPrintable() {
        watcher.sharedWith(names("a\r\nEXON0302 restored", "b".repeat(100), "c", "d", "e"));

        assertThat(reasons())
                .singleElement()
                .asString()
                .startsWith(
                        "redis prefix is shared with a??EXON0302 restored, " + "b".repeat(60) + "..., c and 2 more (");
    }

    @Test
    void whatIsHiddenIsOneFactThatNamesTheCommands() {
        watcher.hidden(Hidden.APPLICATIONS, true);
        assertThat(reasons()).singleElement().asString().contains("ZADD, ZRANGE or ZREMRANGEBYSCORE");
        watcher.hidden(Hidden.RESTARTS, true);
        assertThat(reasons()).singleElement().asString().contains("INFO", "ZADD, ZRANGE or ZREMRANGEBYSCORE");
        watcher.hidden(Hidden.APPLICATIONS, false);
        assertThat(reasons()).singleElement().asString().contains("INFO").doesNotContain("ZADD");
        watcher.hidden(Hidden.RESTARTS, false);

        assertThat(reasons()).isEmpty();
    }

    @Test
    void eachRiskIsReportedForItself() {
        watcher.hidden(Hidden.RESTARTS, true);
        watcher.mayEvict(true);
        watcher.restarted();
        watcher.sharedWith(names("billing"));

        assertThat(context.risks())
                .containsOnlyKeys(StoreRisk.UNOBSERVABLE, StoreRisk.MAY_EVICT, StoreRisk.SHARED_KEYS);
        assertThat(context.losses()).containsExactly("redis restarted or failed over (recent claims may be lost)");
        watcher.mayEvict(false);
        assertThat(context.risks()).doesNotContainKey(StoreRisk.MAY_EVICT);
    }
}
