package dev.exactlyonce.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.guard.DegradedFact;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.store.redis.RedisStore.Hidden;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RedisFactsTest {
    private final DegradedFacts facts = new DegradedFacts(InstantSource.system(), event -> {});
    private final RedisFacts watcher =
            new RedisFacts(new LostClaims(facts, InstantSource.system(), Duration.ofMinutes(15)));

    private static SortedSet<String> names(String... names) {
        return new TreeSet<>(List.of(names));
    }

    private List<String> reasons() {
        return facts.all().stream().map(DegradedFact::reason).toList();
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
    void aWorseFactMasksNoneInTheListOfAll() {
        watcher.hidden(Hidden.RESTARTS, true);
        watcher.mayEvict(true);
        watcher.restarted();
        watcher.sharedWith(names("billing"));

        assertThat(reasons()).hasSize(4);
        assertThat(facts.current()).contains(facts.all().get(0));
        assertThat(reasons().get(0)).startsWith("redis prefix is shared");
    }
}
