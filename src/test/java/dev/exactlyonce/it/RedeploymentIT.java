package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.sender.dispatch.HookServer;
import dev.exactlyonce.store.redis.RedisProcess;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.container.test.api.TargetsContainer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two applications, one for each store, that are deployed, used and removed again and again on a server that runs on. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class RedeploymentIT {
    private static final int REDEPLOYMENTS = Integer.getInteger("redeployments", 2);
    private static final String FILES = "redeployed";
    private static final String IN_SQLITE = FILES + "-sqlite";
    private static final String IN_REDIS = FILES + "-redis";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final RedisProcess REDIS = RedisProcess.start();
    private static final HookServer RECEIVER = HookServer.start();

    private final Server serverB = new Server("nodeB");

    @ArquillianResource
    ContainerController servers;

    @ArquillianResource
    Deployer deployer;

    @AfterAll
    static void closeTheOthers() {
        REDIS.close();
        RECEIVER.close();
    }

    @Deployment(name = IN_SQLITE, managed = false, testable = false)
    @TargetsContainer("nodeB")
    static WebArchive inSqlite() {
        return sending(
                Wars.withSender(Wars.of(
                        IN_SQLITE, SendingApplication.App.class, SendingApplication.Sends.class, Receives.class)),
                "exactlyonce.store=sqlite");
    }

    @Deployment(name = IN_REDIS, managed = false, testable = false)
    @TargetsContainer("nodeB")
    static WebArchive inRedis() {
        return sending(
                Wars.withRedis(Wars.of(
                        IN_REDIS, SendingApplication.App.class, SendingApplication.Sends.class, Receives.class)),
                "exactlyonce.store=redis",
                "exactlyonce.redis.url=redis://127.0.0.1:" + REDIS.port());
    }

    private static WebArchive sending(WebArchive war, String... store) {
        String endpoint = "exactlyonce.sender.endpoint.crm.";
        return Wars.configured(
                war,
                Stream.concat(
                                Stream.of(store),
                                Stream.of(
                                        "exactlyonce.sender.endpoints=crm",
                                        endpoint + "url=" + RECEIVER.url(),
                                        endpoint + "allow-private=true",
                                        endpoint + "secret=a-secret-of-16-chars"))
                        .toArray(String[]::new));
    }

    @Path("/hook")
    @ApplicationScoped
    public static class Receives {
        @POST
        @ExactlyOnce("crm")
        public String receive(String body) {
            return body;
        }
    }

    @Test
    void aRemovedApplicationLeavesNothingInTheServer() throws IOException {
        serverB.stop(servers); // so that it has had no other application
        serverB.start(servers);
        try (Footprint.Meter meter = new Footprint.Meter(serverB.pid(), FILES)) {
            useWhileRedisIsAway();
            use(IN_SQLITE, "first");
            Footprint first = awaitFootprint(meter, null);
            for (int i = 1; i <= REDEPLOYMENTS; i++) {
                use(IN_SQLITE, "s" + i);
                use(IN_REDIS, "r" + i);
            }
            Footprint last = awaitFootprint(meter, first);
            System.out.printf("RedeploymentIT: after the first %s%n", first);
            System.out.printf("RedeploymentIT: after %d redeployments %s%n", REDEPLOYMENTS, last);
            assertThat(nativeLibraries()).isEmpty();
        }
    }

    /** What is collected takes its time; threads and files that are being closed, too. */
    private static Footprint awaitFootprint(Footprint.Meter meter, Footprint within) {
        AtomicReference<Footprint> last = new AtomicReference<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            Footprint now = meter.measure();
            last.set(now);
            assertThat(now).matches(Footprint::isOfNoApplication, "holds nothing of an application");
            assertThat(now).matches(it -> within == null || it.isWithin(within), "not more than " + within);
            assertThat(clientsOfRedis()).hasSize(1); // the question's own
        });
        return last.get();
    }

    private static List<String> clientsOfRedis() {
        return REDIS.command("CLIENT", "LIST")
                .lines()
                .filter(it -> it.startsWith("id="))
                .toList();
    }

    /** The copies that the driver makes, in the folder that the server is configured to make them in. */
    private static List<String> nativeLibraries() throws IOException {
        java.nio.file.Path folder =
                java.nio.file.Path.of(System.getProperty("liberty.home"), "usr", "servers", "nodeB");
        try (Stream<java.nio.file.Path> files = Files.list(folder)) {
            return files.map(it -> it.getFileName().toString())
                    .filter(it -> it.startsWith("sqlite-"))
                    .toList();
        }
    }

    /** The fallback's file is there from then on, and is opened at each start. */
    private void useWhileRedisIsAway() {
        REDIS.kill();
        deployer.deploy(IN_REDIS);
        try {
            Http http = http(IN_REDIS);
            deliver(http, "away");
            REDIS.restart();
            await().atMost(PATIENCE)
                    .until(() ->
                            new Http(Node.b("")).get("/health/ready").body().contains("\"degraded\":false"));
            send(http, "away");
        } finally {
            deployer.undeploy(IN_REDIS);
        }
    }

    private void use(String application, String round) {
        deployer.deploy(application);
        try {
            Http http = http(application);
            deliver(http, round);
            send(http, round);
            assertThat(new Http(Node.b("")).get("/health/ready").statusCode()).isEqualTo(200);
        } finally {
            deployer.undeploy(application);
        }
    }

    private static Http http(String application) {
        return new Http(Node.b("/" + application + "/api"));
    }

    private static void deliver(Http http, String round) {
        for (int i = 0; i < 8; i++) {
            assertThat(http.post("/hook", round + i).body()).isEqualTo("body");
        }
        assertThat(http.post("/hook", round + 0).body()).isEqualTo("{\"status\":\"duplicate\"}");
    }

    private static void send(Http http, String round) {
        RECEIVER.answering(200);
        events(http, round + "-good", 3);
        awaitDelivered(http, 3);
        RECEIVER.answering(400);
        events(http, round + "-bad", 1);
        await().atMost(PATIENCE).until(() -> http.get("/dead").body().equals("1"));
        RECEIVER.answering(200);
        await().atMost(PATIENCE).until(() -> post(http, "/replay").equals("1"));
        awaitDelivered(http, 4);
    }

    private static void events(Http http, String prefix, int count) {
        assertThat(post(http, "/events/" + prefix + "?from=0&count=" + count)).isEqualTo(Integer.toString(count));
    }

    private static void awaitDelivered(Http http, int count) {
        await().atMost(PATIENCE).until(() -> http.get("/delivered").body().equals(Integer.toString(count)));
    }

    private static String post(Http http, String path) {
        return Http.send(http.request(path).POST(BodyPublishers.noBody()).build())
                .body();
    }
}
