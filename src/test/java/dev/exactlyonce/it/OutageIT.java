package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The SQLite file is held by another process, and given back. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class OutageIT {
    private static final String FILE = "outage-" + System.nanoTime() + ".db";
    private static final String REASON = "durable idempotency store unavailable (running in-memory)";

    private final Http http = new Http(Node.a(""));

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "outage", managed = false, testable = false)
    static WebArchive application() {
        return Wars.configured(
                Wars.of("outage", Handlers.App.class, Handlers.WithEffects.class, EffectsClient.class),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.sqlite.path=" + FILE,
                "exactlyonce.source.short.on-outage=reject",
                "exactlyonce.health.down-when-degraded=true");
    }

    @Test
    void deliveriesRunWhileTheFileIsAwayAndAreRecordedOnceItIsBack() throws SQLException {
        deployer.deploy("outage");
        try {
            assertThat(send("happen", "before").body()).isEqualTo("ok");
            assertThat(readiness()).contains("\"status\":\"UP\"", "\"degraded\":false");

            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
                    Statement statement = other.createStatement()) {
                statement.execute("BEGIN EXCLUSIVE");
                assertThat(send("happen", "during").body()).isEqualTo("ok");
                assertThat(send("happen", "during").body()).isEqualTo("{\"status\":\"duplicate\"}");
                HttpResponse<String> rejected = send("slow", "rejected");
                assertThat(rejected.statusCode()).isEqualTo(503);
                assertThat(rejected.headers().firstValue("Retry-After")).contains("10");
                assertThat(readiness())
                        .contains("\"status\":\"DOWN\"", "\"degraded\":true", REASON, "\"store\":\"memory\"")
                        .doesNotContain(FILE);
            }

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(readiness()).contains("\"status\":\"UP\"", "\"degraded\":false"));
        } finally {
            deployer.undeploy("outage");
        }
        deployer.deploy("outage");
        try {
            assertThat(send("happen", "during").body()).isEqualTo("{\"status\":\"duplicate\"}");
            assertThat(Effects.SHARED.count("during")).isEqualTo(1);
            assertThat(Effects.SHARED.count("rejected-begun")).isZero();
            Effects.SHARED.open("rejected");
            assertThat(send("slow", "rejected").body()).isEqualTo("ok");
        } finally {
            deployer.undeploy("outage");
        }
    }

    private static Path file() {
        return Path.of(System.getProperty("liberty.home"), "usr/servers/nodeA", FILE);
    }

    private String readiness() {
        return http.get("/health/ready").body();
    }

    private HttpResponse<String> send(String path, String effect) {
        return Http.send(http.request("/outage/api/effects/" + path)
                .header("Idempotency-Key", effect)
                .POST(BodyPublishers.ofString(effect))
                .build());
    }
}
