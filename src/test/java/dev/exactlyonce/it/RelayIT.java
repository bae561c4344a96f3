package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.gateway.GatewayApplication;
import dev.exactlyonce.gateway.HandlerCount;
import dev.exactlyonce.gateway.HookResource;
import dev.exactlyonce.gateway.OperatorResource;
import dev.exactlyonce.gateway.Relay;
import dev.exactlyonce.gateway.UnhandledFailure;
import dev.exactlyonce.gateway.WebhookReceived;
import dev.exactlyonce.sender.dispatch.HookServer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.File;
import java.io.StringReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.container.test.api.TargetsContainer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The gateway as a relay, and its dead letters for an operator, on a server with application security. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class RelayIT {
    private static final HookServer RECEIVER = HookServer.start();
    private static final String USERS = """
            <featureManager><feature>appSecurity-5.0</feature></featureManager>
            <basicRegistry id="users" realm="test">
              <user name="olga" password="olgas"/>
              <user name="nora" password="noras"/>
              <group name="exactlyonce-operator"><member name="olga"/></group>
            </basicRegistry>""";

    private final Http node = new Http(Node.b(""));
    private final Server serverB = new Server("nodeB");

    @ArquillianResource
    ContainerController servers;

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "relay", managed = false, testable = false)
    @TargetsContainer("nodeB")
    static WebArchive relay() {
        return Wars.configured(
                Wars.withSender(Wars.of(
                                "relay",
                                GatewayApplication.class,
                                HookResource.class,
                                HandlerCount.class,
                                OperatorResource.class,
                                Relay.class,
                                UnhandledFailure.class,
                                WebhookReceived.class)
                        .setWebXML(new File("src/main/webapp/WEB-INF/web.xml"))),
                "exactlyonce.sources=demo",
                "exactlyonce.store=memory",
                "exactlyonce.remember=0", // so that the outbox alone knows what was relayed
                "exactlyonce.source.demo.ttl=PT0.001S",
                "exactlyonce.source.demo.forward-to=crm",
                "exactlyonce.source.demo.forward-headers=X-Event",
                "exactlyonce.sender.endpoints=crm",
                "exactlyonce.sender.endpoint.crm.url=" + RECEIVER.url(),
                "exactlyonce.sender.endpoint.crm.allow-private=true",
                "exactlyonce.sender.endpoint.crm.secret=a-secret-of-16-chars",
                "exactlyonce.sender.sqlite.path=relay-" + System.nanoTime() + ".db");
    }

    private ServerConfig security;

    @BeforeEach
    void deploy() throws Exception {
        RECEIVER.requests().clear();
        RECEIVER.answering(200);
        security = ServerConfig.add("nodeB", USERS);
        serverB.stop(servers);
        serverB.start(servers);
        deployer.deploy("relay");
    }

    @AfterEach
    void takeDown() throws Exception {
        deployer.undeploy("relay");
        serverB.stop(servers);
        security.close();
    }

    private HttpResponse<String> deliver(String key) {
        return Http.send(node.request("/relay/hooks/demo")
                .header("Idempotency-Key", key)
                .header("Content-Type", "text/plain")
                .header("X-Event", "paid")
                .header("X-Secret", "not forwarded")
                .POST(BodyPublishers.ofString("body of " + key))
                .build());
    }

    private HttpResponse<String> operator(String user, String method, String path) {
        String password =
                Base64.getEncoder().encodeToString((user + ":" + user + "s").getBytes(StandardCharsets.UTF_8));
        return Http.send(node.request("/relay/operator" + path)
                .header("Authorization", "Basic " + password)
                .method(method, BodyPublishers.noBody())
                .build());
    }

    private static JsonObject json(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        try (JsonReader reader = Json.createReader(new StringReader(answer.body()))) {
            return reader.readObject();
        }
    }

    private static void awaitRequests(int count) {
        await().atMost(Duration.ofSeconds(20)).until(() -> RECEIVER.requests().size() == count);
    }

    @Test
    void aDeliveryIsRelayedOnceAlsoWhenItIsAdmittedASecondTime() {
        HttpResponse<String> first = deliver("evt-1");
        assertThat(first.statusCode()).isEqualTo(202);
        assertThat(first.body()).isEqualTo("{\"status\":\"queued\"}");
        awaitRequests(1);
        assertThat(RECEIVER.requests().get(0).body()).isEqualTo("body of evt-1");
        assertThat(RECEIVER.requests().get(0).header("Content-type")).isEqualTo("text/plain");
        assertThat(RECEIVER.requests().get(0).header("X-event")).isEqualTo("paid");
        assertThat(RECEIVER.requests().get(0).headers()).doesNotContainKey("X-secret");
        assertThat(RECEIVER.requests().get(0).key()).matches("demo:[0-9a-f]{64}");

        assertThat(deliver("evt-1").statusCode()).isEqualTo(202); // its record has ended
        assertThat(deliver("evt-2").statusCode()).isEqualTo(202);
        awaitRequests(2);
        assertThat(RECEIVER.requests().get(1).body()).isEqualTo("body of evt-2");
    }

    @Test
    void anOperatorSeesAndReplaysDeadLettersAndNobodyElseDoes() {
        RECEIVER.answering(400);
        deliver("evt-3");
        awaitRequests(1);
        await().until(() -> json(operator("olga", "GET", "/dead-letters"))
                        .getJsonArray("entries")
                        .size()
                == 1);
        JsonObject entry = json(operator("olga", "GET", "/dead-letters"))
                .getJsonArray("entries")
                .getJsonObject(0);
        String path = "/dead-letters/" + entry.getString("id");

        assertThat(entry.getString("error")).isEqualTo("400");
        assertThat(entry.containsKey("body")).isFalse();
        assertThat(new String(
                        Base64.getDecoder()
                                .decode(json(operator("olga", "GET", path)).getString("body")),
                        StandardCharsets.UTF_8))
                .isEqualTo("body of evt-3");
        for (HttpRequest.Builder anybody : new HttpRequest.Builder[] {
            node.request("/relay/operator" + path), node.request("/relay/operator/dead-letters")
        }) {
            assertThat(Http.send(anybody.GET().build()).statusCode()).isIn(401, 403);
        }
        assertThat(operator("nora", "GET", "/dead-letters").statusCode()).isEqualTo(403);
        assertThat(operator("nora", "POST", path + "/replay").statusCode()).isEqualTo(403);
        assertThat(operator("nora", "DELETE", path).statusCode()).isEqualTo(403);

        RECEIVER.answering(200);
        assertThat(json(operator("olga", "POST", path + "/replay")).getString("status"))
                .isEqualTo("replayed");
        awaitRequests(2);
        assertThat(RECEIVER.requests().get(1).key())
                .isEqualTo(RECEIVER.requests().get(0).key());
        assertThat(json(operator("olga", "GET", "/dead-letters")).getJsonArray("entries"))
                .isEmpty();
        assertThat(operator("olga", "DELETE", path).statusCode()).isEqualTo(404);
        assertThat(operator("olga", "POST", "/dead-letters/4711/replay").statusCode())
                .isEqualTo(404);
        assertThat(operator("olga", "GET", "/dead-letters?limit=0").statusCode())
                .isEqualTo(400);
        assertThat(json(operator("olga", "POST", "/dead-letters/replay")).getInt("replayed"))
                .isZero();
    }

    @Test
    void anEndpointThatIsGoneIsInReadinessAndEnabledByAnOperator() {
        RECEIVER.answering(410);
        deliver("evt-4");
        awaitRequests(1);
        await().until(() -> node.get("/health/ready").body().contains("\"crm\":\"disabled\""));
        RECEIVER.answering(200);

        assertThat(json(operator("olga", "POST", "/endpoints/crm/enable")).getString("status"))
                .isEqualTo("enabled");
        assertThat(json(operator("olga", "POST", "/dead-letters/replay")).getInt("replayed"))
                .isEqualTo(1);
        awaitRequests(2);
        assertThat(operator("olga", "POST", "/endpoints/crm/enable").statusCode())
                .isEqualTo(404);
        assertThat(node.get("/health/ready").body()).contains("\"crm\":\"closed\"");
    }
}
