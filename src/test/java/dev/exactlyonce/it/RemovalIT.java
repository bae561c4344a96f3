package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An application that is removed while a handler runs, and deployed again. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class RemovalIT {
    private final Http http = new Http(Node.a("/removal/api"));

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "removal", managed = false, testable = false)
    static WebArchive application() {
        return Wars.configured(
                Wars.of("removal", Handlers.App.class, Handlers.WithEffects.class, EffectsClient.class),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.sqlite.path=removal-" + System.nanoTime() + ".db");
    }

    @Test
    void aHandlerThatRunsWhileItsApplicationIsRemovedIsStillRecorded() {
        deployer.deploy("removal");
        CompletableFuture<HttpResponse<String>> running = Http.sendAsync(request());
        await().until(() -> Effects.SHARED.count("removed-begun") == 1);

        CompletableFuture<Void> opening = CompletableFuture.runAsync(() -> {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Http.send(request()).statusCode() == 404);
            Effects.SHARED.open("removed");
        });
        deployer.undeploy("removal");
        opening.join();
        running.join();

        deployer.deploy("removal");
        try {
            assertThat(Http.send(request()).body()).isEqualTo("{\"status\":\"duplicate\"}");
            assertThat(Effects.SHARED.count("removed")).isEqualTo(1);
        } finally {
            deployer.undeploy("removal");
        }
    }

    private HttpRequest request() {
        return http.request("/effects/slow")
                .header("Idempotency-Key", "removed")
                .POST(BodyPublishers.ofString("removed"))
                .build();
    }
}
