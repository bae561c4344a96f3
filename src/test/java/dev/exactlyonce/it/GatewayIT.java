package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.gateway.GatewayApplication;
import dev.exactlyonce.gateway.HandlerCount;
import dev.exactlyonce.gateway.HookResource;
import dev.exactlyonce.gateway.OperatorResource;
import dev.exactlyonce.gateway.Relay;
import dev.exactlyonce.gateway.UnhandledFailure;
import dev.exactlyonce.gateway.WebhookReceived;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The gateway with an observer of the user's own, and with none. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class GatewayIT {
    private final Http server = new Http(Node.a(""));

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "gateway", managed = false, testable = false)
    static WebArchive gateway() {
        return gatewayOf("gateway", Observer.class, EffectsClient.class);
    }

    @Deployment(name = "gateway-unheard", managed = false, testable = false)
    static WebArchive unheard() {
        return gatewayOf("gateway-unheard");
    }

    private static WebArchive gatewayOf(String name, Class<?>... observers) {
        return Wars.configured(
                Wars.of(
                                name,
                                GatewayApplication.class,
                                HookResource.class,
                                HandlerCount.class,
                                OperatorResource.class,
                                Relay.class,
                                UnhandledFailure.class,
                                WebhookReceived.class)
                        .addClasses(observers)
                        .addClass(GatewayIT.class),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.sources=demo",
                "exactlyonce.sqlite.path=" + name + "-" + System.nanoTime() + ".db");
    }

    /** Fails on the first event, and lets an effect of the second tell all that it was given. */
    @ApplicationScoped
    public static class Observer {
        private final AtomicBoolean failed = new AtomicBoolean();

        @Inject
        EffectsClient effects;

        void receive(@Observes WebhookReceived event) {
            if (failed.compareAndSet(false, true)) {
                throw new IllegalStateException("secret text");
            }
            effects.happen(String.join(
                    "-",
                    event.source(),
                    event.key().substring(event.key().lastIndexOf(':') + 1),
                    new String(event.body(), StandardCharsets.UTF_8),
                    event.headers().get("X-Extra").get(0),
                    String.valueOf(event.contentType()).replace('/', '.')));
        }
    }

    @Test
    void anObserverThatThrowsMakesItA500AndTheRetryRuns() {
        deployer.deploy("gateway");
        try {
            HttpResponse<String> first = hook("/gateway", "evt-1");
            assertThat(first.statusCode()).isEqualTo(500);
            assertThat(first.body()).contains("\"status\":500").doesNotContain("secret text", "Exception");
            assertThat(hook("/gateway", "evt-1").body()).isEqualTo("{\"status\":\"ok\"}");
            assertThat(Effects.SHARED.count("demo-evt-1-body-extra-text.plain")).isEqualTo(1);
            assertThat(hook("/gateway", "evt-1").body()).isEqualTo("{\"status\":\"duplicate\"}");
            assertThat(server.get("/health/ready").body())
                    .contains("\"name\":\"durability:idempotency\"", "\"handlers\":1");
        } finally {
            deployer.undeploy("gateway");
        }
    }

    @Test
    void withoutAnObserverReadinessSaysSo() {
        deployer.deploy("gateway-unheard");
        try {
            assertThat(server.get("/health/ready").body())
                    .contains("\"handlers\":0")
                    .doesNotContain("sender:endpoints"); // nothing is sent
            assertThat(hook("/gateway-unheard", "evt-1").body()).isEqualTo("{\"status\":\"ok\"}");
        } finally {
            deployer.undeploy("gateway-unheard");
        }
    }

    @Test
    void onAServerWithoutSecurityNobodyIsAnOperator() {
        deployer.deploy("gateway-unheard");
        try {
            for (String call : List.of(
                    "GET /dead-letters",
                    "GET /dead-letters/1",
                    "POST /dead-letters/1/replay",
                    "POST /dead-letters/replay",
                    "DELETE /dead-letters/1",
                    "POST /endpoints/crm/enable")) {
                HttpResponse<String> answer =
                        Http.send(server.request("/gateway-unheard/operator" + call.substring(call.indexOf(' ') + 1))
                                .header("Authorization", "Basic b2xnYTpvbGdhcw==")
                                .method(call.substring(0, call.indexOf(' ')), BodyPublishers.noBody())
                                .build());
                assertThat(answer.statusCode()).as(call).isEqualTo(403);
                assertThat(answer.body()).contains("the role exactlyonce-operator is needed");
            }
        } finally {
            deployer.undeploy("gateway-unheard");
        }
    }

    private HttpResponse<String> hook(String context, String key) {
        return Http.send(server.request(context + "/hooks/demo")
                .header("Idempotency-Key", key)
                .header("Content-Type", "text/plain")
                .header("X-Extra", "extra")
                .POST(BodyPublishers.ofString("body"))
                .build());
    }
}
