package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.container.test.api.TargetsContainer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** kill -9 of the server, at the moments that matter. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class CrashIT {
    private static final int ACKNOWLEDGED = 1_000;
    private static final String WITH_A_LONG_LEASE = "/effects/slow-with-a-long-lease";

    @ArquillianResource
    ContainerController servers;

    @ArquillianResource
    Deployer deployer;

    private final Http http = new Http(Node.b("/crash/api"));
    private final Server serverB = new Server("nodeB");

    @Deployment(name = "crash", managed = false, testable = false)
    @TargetsContainer("nodeB")
    static WebArchive application() {
        return Wars.configured(
                Wars.of("crash", Handlers.App.class, Handlers.WithEffects.class, EffectsClient.class),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.sqlite.path=crash-" + System.nanoTime() + ".db",
                "exactlyonce.source.short.lease=PT5S",
                "exactlyonce.source.long.lease=PT1H"); // however long the server takes to start
    }

    @Test
    void whatWasAcknowledgedIsADuplicateAfterAKillAndWhatWasNotRunsAfterItsLease() {
        serverB.start(servers);
        deployer.deploy("crash");
        List<String> acknowledged =
                IntStream.range(0, ACKNOWLEDGED).mapToObj(it -> "ack-" + it).toList();
        assertThat(deliver(acknowledged)).allMatch(answer -> answer.body().equals("ok"));

        CompletableFuture<HttpResponse<String>> interrupted = Http.sendAsync(request("/effects/slow", "crashed"));
        CompletableFuture<HttpResponse<String>> leased = Http.sendAsync(request(WITH_A_LONG_LEASE, "leased"));
        await().until(() -> Effects.SHARED.count("crashed-begun") == 1 && Effects.SHARED.count("leased-begun") == 1);
        serverB.kill(servers);
        assertThat(interrupted).failsWithin(Duration.ofSeconds(30));
        assertThat(leased).failsWithin(Duration.ofSeconds(30));
        Effects.SHARED.open("crashed");
        Effects.SHARED.open("leased");

        serverB.start(servers);
        try {
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> http.get("/effects/happen").statusCode() == 405);
            HttpResponse<String> early = Http.send(request(WITH_A_LONG_LEASE, "leased"));
            assertThat(early.statusCode()).isEqualTo(409);
            assertThat(early.headers().firstValueAsLong("Retry-After").orElse(0))
                    .isBetween(1L, 10L);

            assertThat(deliver(acknowledged)).allMatch(answer -> answer.body().equals("{\"status\":\"duplicate\"}"));
            assertThat(Effects.SHARED.counts(acknowledged)).allMatch(count -> count == 1);

            await().atMost(Duration.ofSeconds(150))
                    .untilAsserted(() -> assertThat(Http.send(request("/effects/slow", "crashed"))
                                    .statusCode())
                            .isEqualTo(200));
            assertThat(Effects.SHARED.count("crashed-begun")).isEqualTo(2);
            assertThat(Effects.SHARED.count("crashed")).isEqualTo(1);
            assertThat(Effects.SHARED.count("leased-begun")).isEqualTo(1);
            assertThat(Effects.SHARED.count("leased")).isZero();
        } finally {
            deployer.undeploy("crash");
        }
    }

    private List<HttpResponse<String>> deliver(List<String> effects) {
        return IntStream.range(0, effects.size() / 20)
                .mapToObj(it -> effects.subList(it * 20, it * 20 + 20).stream()
                        .map(effect -> Http.sendAsync(request("/effects/happen", effect)))
                        .toList())
                .flatMap(batch -> batch.stream().map(CompletableFuture::join).toList().stream())
                .toList();
    }

    private java.net.http.HttpRequest request(String path, String effect) {
        return http.request(path)
                .header("Idempotency-Key", effect)
                .POST(BodyPublishers.ofString(effect))
                .build();
    }
}
