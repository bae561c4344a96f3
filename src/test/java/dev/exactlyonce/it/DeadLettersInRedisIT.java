package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.sender.dispatch.HookServer;
import dev.exactlyonce.store.redis.RedisProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
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

/** Two servers, each with an outbox file of its own, and one Redis: each sees and replays the dead letters of the other. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class DeadLettersInRedisIT {
    private static final RedisProcess REDIS = RedisProcess.start();
    private static final HookServer RECEIVER = HookServer.start();

    private final Http a = new Http(Node.a("/letters/api"));
    private final Http b = new Http(Node.b("/letters/api"));

    @ArquillianResource
    ContainerController servers;

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "letters-a", managed = false, testable = false)
    @TargetsContainer("nodeA")
    static WebArchive onA() {
        return application();
    }

    @Deployment(name = "letters-b", managed = false, testable = false)
    @TargetsContainer("nodeB")
    static WebArchive onB() {
        return application();
    }

    private static WebArchive application() {
        return Wars.configured(
                Wars.withRedis(Wars.of("letters", SendingApplication.App.class, SendingApplication.Sends.class)),
                "exactlyonce.store=redis",
                "exactlyonce.redis.url=redis://127.0.0.1:" + REDIS.port(),
                "exactlyonce.redis.timeout=PT5S",
                "exactlyonce.sender.endpoints=crm",
                "exactlyonce.sender.endpoint.crm.url=" + RECEIVER.url(),
                "exactlyonce.sender.endpoint.crm.allow-private=true",
                "exactlyonce.sender.endpoint.crm.secret=a-secret-of-16-chars");
    }

    private static String post(Http to, String path) {
        return Http.send(to.request(path).POST(BodyPublishers.noBody()).build()).body();
    }

    private static void awaitDead(Http at, int count) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> at.get("/dead").body().equals(Integer.toString(count)));
    }

    @Test
    void aDeadLetterOfOneReplicaIsReplayedByTheOther() {
        new Server("nodeB").start(servers);
        deployer.deploy("letters-a");
        deployer.deploy("letters-b");
        try {
            RECEIVER.answering(400);
            assertThat(post(a, "/events/letter?from=0&count=3")).isEqualTo("3");
            awaitDead(a, 3);
            awaitDead(b, 3);

            RECEIVER.answering(200);
            assertThat(post(b, "/replay")).isEqualTo("3");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> b.get("/delivered").body().equals("3"));
            awaitDead(a, 0);
            assertThat(post(a, "/replay")).isEqualTo("0");
            assertThat(RECEIVER.requests()).hasSize(6);
            assertThat(RECEIVER.requests().subList(3, 6))
                    .extracting(HookServer.Request::key)
                    .containsExactlyInAnyOrder("letter-0", "letter-1", "letter-2");
            assertThat(RECEIVER.requests())
                    .allSatisfy(it -> assertThat(it.body()).isEqualTo("\"" + it.key() + "\""));
        } finally {
            deployer.undeploy("letters-a");
            deployer.undeploy("letters-b");
        }
    }
}
