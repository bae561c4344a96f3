package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.container.test.api.TargetsContainer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A sender on one server and a receiver on another, with a bad network between them, and the sender killed again and again. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class SenderIT {
    private static final int EVENTS = Integer.getInteger("sender.events", 2_000);
    private static final int KILLS = Integer.getInteger("sender.kills", 3);
    private static final int CALL = 50;
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final long SEED = Long.getLong("sender.seed", System.nanoTime());
    private static final FaultProxy PROXY = proxy();

    private final Http sender = new Http(Node.b("/sending/api"));
    private final Server serverB = new Server("nodeB");

    @ArquillianResource
    ContainerController servers;

    @ArquillianResource
    Deployer deployer;

    private static FaultProxy proxy() {
        try {
            return new FaultProxy(Node.a("/receiving/api/hook"), SEED);
        } catch (java.io.IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeAll
    static void tellTheSeed() {
        System.out.printf("SenderIT: -Dsender.seed=%d -Dsender.kills=%d%n", SEED, KILLS);
    }

    @AfterAll
    static void closeTheProxy() {
        PROXY.close();
    }

    @Deployment(name = "receiving", managed = false, testable = false)
    @TargetsContainer("nodeA")
    static WebArchive receiving() {
        return Wars.configured(
                Wars.of(
                        "receiving",
                        SendingApplication.App.class,
                        SendingApplication.Receives.class,
                        EffectsClient.class),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.source.crm.preset=standard-webhooks",
                "exactlyonce.source.crm.secret=" + SECRET);
    }

    @Deployment(name = "sending", managed = false, testable = false)
    @TargetsContainer("nodeB")
    static WebArchive sending() {
        return Wars.configured(
                Wars.withSender(Wars.of("sending", SendingApplication.App.class, SendingApplication.Sends.class)),
                "exactlyonce.sender.endpoints=crm",
                "exactlyonce.sender.endpoint.crm.url=" + PROXY.url(),
                "exactlyonce.sender.endpoint.crm.allow-private=true",
                "exactlyonce.sender.endpoint.crm.breaker=none", // it would rest for five minutes
                "exactlyonce.sender.endpoint.crm.retry-delays=PT0.1S,PT0.5S,PT2S",
                "exactlyonce.sender.endpoint.crm.secret=" + SECRET);
    }

    @Test
    void everyEventTakesEffectOnceThoughTheNetworkIsBadAndTheSenderIsKilled() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> effects =
                IntStream.range(0, EVENTS).mapToObj(i -> "sent-" + i).toList();
        serverB.start(servers);
        deployer.deploy("receiving");
        deployer.deploy("sending");
        try {
            int killed = 0;
            for (int from = 0; from < EVENTS; from += CALL) {
                if (killed < KILLS && from >= (killed + 1) * EVENTS / (KILLS + 1)) {
                    killAmidst(from, random);
                    killed++;
                }
                send(from);
            }
            assertThat(killed).isEqualTo(KILLS);
            await().atMost(Duration.ofMinutes(4)).until(() -> PROXY.faults() > EVENTS / 5); // few may have left so far
            PROXY.heal();
            await().atMost(Duration.ofMinutes(4))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        Http.send(sender.request("/replay")
                                .POST(BodyPublishers.noBody())
                                .build());
                        return Effects.SHARED.counts(effects).stream().allMatch(it -> it >= 1);
                    });

            assertThat(Effects.SHARED.counts(effects)).containsOnly(1);
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> sender.get("/dead").body().equals("0"));
            assertThat(new Http(Node.b("")).get("/health/ready").body())
                    .contains("\"name\":\"sender:endpoints\"", "\"crm\":\"closed\"");
        } finally {
            deployer.undeploy("receiving");
            deployer.undeploy("sending");
        }
    }

    /** Sends some more, kills the server at any point of that, and starts it again. */
    private void killAmidst(int from, SplittableRandom random) {
        int atOnce = 4;
        var calls = IntStream.range(0, atOnce)
                .mapToObj(i -> Http.sendAsync(events(from + i * CALL)))
                .toList();
        int answered = random.nextInt(atOnce);
        await().until(() -> calls.stream()
                        .filter(java.util.concurrent.CompletableFuture::isDone)
                        .count()
                >= answered);
        serverB.kill(servers);
        serverB.start(servers);
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> sender.get("/delivered").statusCode() == 200);
        for (int i = 0; i < atOnce; i++) {
            send(from + i * CALL); // as an application does that does not know whether it had sent
        }
    }

    private java.net.http.HttpRequest events(int from) {
        return sender.request("/events/sent?from=" + from + "&count=" + CALL)
                .POST(BodyPublishers.noBody())
                .build();
    }

    private void send(int from) {
        HttpResponse<String> answer = Http.send(events(from));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
}
