package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.example.ExampleStoreProvider;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The SQLite file cannot be used at once when the application starts, or the application has a store of its own. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class SqliteStartIT {
    private static final String LOCKED = "locked-" + System.nanoTime() + ".db";
    private static final String H2 = "h2-" + System.nanoTime();
    private static final String TEXT = "text-" + System.nanoTime() + ".db";

    private final Http http = new Http(Node.a(""));

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "locked", managed = false, testable = false)
    static WebArchive locked() {
        return application("locked", LOCKED);
    }

    @Deployment(name = "text", managed = false, testable = false)
    static WebArchive text() {
        return application("text", TEXT);
    }

    @Deployment(name = "example", managed = false, testable = false)
    static WebArchive example() {
        WebArchive war = Wars.of("example", Handlers.App.class, Handlers.WithEffects.class, EffectsClient.class);
        return Wars.configured(
                Wars.withStore(war, ExampleStoreProvider.class, JdbcDataSource.class),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.store=example",
                "exactlyonce.example.jdbc-url=jdbc:h2:./" + H2);
    }

    private static WebArchive application(String name, String file) {
        return Wars.configured(
                Wars.of(name, Handlers.App.class, Handlers.WithEffects.class, EffectsClient.class),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.sqlite.path=" + file);
    }

    private static Path inServer(String file) {
        return Path.of(System.getProperty("liberty.home"), "usr/servers/nodeA", file);
    }

    private String send(String application, String effect) {
        return Http.send(http.request("/" + application + "/api/effects/happen")
                        .header("Idempotency-Key", effect)
                        .POST(BodyPublishers.ofString(effect))
                        .build())
                .body();
    }

    private String readiness() {
        return http.get("/health/ready").body();
    }

    @Test
    void aFileThatIsLockedForAMomentIsWaitedForBeforeTheFirstDelivery() throws Exception {
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + inServer(LOCKED));
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN EXCLUSIVE");
            CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(
                    () -> release(statement), CompletableFuture.delayedExecutor(6, TimeUnit.SECONDS));
            deployer.deploy("locked");
            assertThat(released.join()).isTrue();
        }
        try {
            assertThat(readiness()).contains("\"store\":\"sqlite\"", "\"degraded\":false");
            assertThat(send("locked", "after-lock")).isEqualTo("ok");
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + inServer(LOCKED));
                    Statement statement = other.createStatement();
                    ResultSet row = statement.executeQuery("SELECT value FROM exactly_once")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getString(1)).startsWith("1|recorded|");
            }
        } finally {
            deployer.undeploy("locked");
        }
    }

    @Test
    void aStoreThatTheApplicationContainsTakesThePlaceOfSqlite() {
        deployer.deploy("example");
        try {
            assertThat(readiness()).contains("\"store\":\"example\"", "\"degraded\":false");
            assertThat(send("example", "in-h2")).isEqualTo("ok");
            assertThat(send("example", "in-h2")).isEqualTo("{\"status\":\"duplicate\"}");
            assertThat(inServer(H2 + ".mv.db")).exists();
            assertThat(inServer("exactly-once-example.db")).doesNotExist();
        } finally {
            deployer.undeploy("example");
        }
    }

    private static boolean release(Statement statement) {
        try {
            statement.execute("ROLLBACK");
            return true;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theLogNamesWhyTheFileCannotBeUsedAndWhatToDo() throws Exception {
        Files.writeString(inServer(TEXT), "no database\n".repeat(1_000));
        deployer.deploy("text");
        try {
            assertThat(send("text", "with-text-file")).isEqualTo("ok");
            assertThat(send("text", "with-text-file")).isEqualTo("{\"status\":\"duplicate\"}");
            assertThat(readiness())
                    .contains("durable idempotency store unavailable (running in-memory)", "\"degraded\":true")
                    .doesNotContain(TEXT);
            Path log = inServer("logs/messages.log");
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(Files.readString(log))
                            .contains("EXON0330 the idempotency store is unavailable (probe): the SQLite file cannot be"
                                    + " used: it is not an SQLite database; move it away, or set exactlyonce.sqlite.path"
                                    + " to another file"));
            Files.delete(inServer(TEXT));
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(readiness())
                            .contains("\"store\":\"sqlite\"", "recent claims may be lost")
                            .doesNotContain("unavailable"));
            assertThat(send("text", "with-text-file")).isEqualTo("{\"status\":\"duplicate\"}");
        } finally {
            deployer.undeploy("text");
        }
    }
}
