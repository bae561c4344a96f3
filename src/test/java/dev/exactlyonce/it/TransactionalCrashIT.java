package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.Mode;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.WebhookEvent;
import dev.exactlyonce.sender.WebhookSender;
import dev.exactlyonce.sender.dispatch.HookServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
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

/**
 * kill -9 of a server at the moments that matter, under senders that retry until they get a 2xx from one of two servers: the
 * balance in the database is the number of distinct deliveries, and each has sent one event.
 */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class TransactionalCrashIT {
    private static final int KILLS = Integer.getInteger("transactional.kills", 5);
    private static final int DELIVERIES = Integer.getInteger("transactional.deliveries", 250);
    private static final int SENDERS = 16;
    private static final List<String> POINTS =
            List.of("after-insert", "after-update", "before-commit", "after-commit", "before-claim");

    private static final EmbeddedPostgres POSTGRES = JdbcStoreIT.start();
    private static final HookServer RECEIVER = HookServer.start();

    private final List<Http> servers =
            List.of(new Http(Node.a("/transactional/api")), new Http(Node.b("/transactional/api")));
    private final Server serverB = new Server("nodeB");

    @ArquillianResource
    ContainerController containers;

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "transactional-a", managed = false, testable = false)
    @TargetsContainer("nodeA")
    static WebArchive onServerA() {
        return application();
    }

    @Deployment(name = "transactional-b", managed = false, testable = false)
    @TargetsContainer("nodeB")
    static WebArchive onServerB() {
        return application();
    }

    private static WebArchive application() {
        return Wars.configured(
                Wars.withSender(Wars.of(
                        "transactional", App.class, Accounts.class, StopsAroundCommit.class, EffectsClient.class)),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.store=jdbc",
                "exactlyonce.jdbc.data-source=jdbc/shop",
                "exactlyonce.sender.data-source=jdbc/shop",
                "exactlyonce.sender.endpoints=crm",
                "exactlyonce.sender.endpoint.crm.url=" + RECEIVER.url(),
                "exactlyonce.sender.endpoint.crm.allow-private=true",
                "exactlyonce.sender.endpoint.crm.secret=a-secret-of-16-chars");
    }

    @ApplicationPath("/api")
    public static class App extends Application {}

    @Path("/pay")
    @ApplicationScoped
    public static class Accounts {
        @Resource(lookup = "jdbc/shop")
        DataSource database;

        @Resource
        TransactionSynchronizationRegistry transaction;

        @Inject
        EffectsClient effects;

        @Inject
        WebhookSender webhooks;

        @POST
        @ExactlyOnce(value = "billing", mode = Mode.TRANSACTIONAL)
        @Transactional
        public String pay(@HeaderParam("Idempotency-Key") String key, @HeaderParam("Stop-At") String point)
                throws SQLException {
            stopAt("after-insert", point, key);
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE account SET balance = balance + 1");
            }
            webhooks.send("crm", WebhookEvent.json(new EventKey(key), "{}"));
            stopAt("after-update", point, key);
            transaction.registerInterposedSynchronization(new StopsAroundCommit(this, point, key));
            return "paid";
        }

        void stopAt(String here, String point, String key) {
            if (here.equals(point)) {
                effects.happen(key + "-" + here);
                effects.waitAt(key + "-" + here);
            }
        }
    }

    /** Of a class with a name, so that the WAR has it. */
    public record StopsAroundCommit(Accounts accounts, String point, String key) implements Synchronization {
        @Override
        public void beforeCompletion() {
            accounts.stopAt("before-commit", point, key);
        }

        @Override
        public void afterCompletion(int status) {
            accounts.stopAt("after-commit", point, key);
        }
    }

    private static String stop(int number) {
        return POINTS.get(number % POINTS.size());
    }

    private HttpRequest request(Http server, String key, String point) {
        return server.request("/pay")
                .timeout(Duration.ofSeconds(20))
                .header("Idempotency-Key", key)
                .header("Stop-At", point)
                .POST(BodyPublishers.noBody())
                .build();
    }

    /** Retries until a server answers with a 2xx, and now and then sends it once more. */
    private void deliver(int number, ConcurrentHashMap<Integer, AtomicInteger> answers) {
        for (int attempt = number; ; attempt++) {
            try {
                HttpResponse<String> answer = Http.send(request(servers.get(attempt % 2), "d" + number, "none"));
                answers.computeIfAbsent(answer.statusCode(), it -> new AtomicInteger())
                        .incrementAndGet();
                if (answer.statusCode() == 200) {
                    return;
                }
            } catch (RuntimeException killed) {
                answers.computeIfAbsent(0, it -> new AtomicInteger()).incrementAndGet();
            }
            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
        }
    }

    @Test
    void theBalanceIsTheNumberOfDeliveriesWhereverTheServerIsKilled() throws Exception {
        JdbcStoreIT.execute(POSTGRES, "CREATE TABLE account (balance BIGINT NOT NULL)");
        JdbcStoreIT.execute(POSTGRES, "INSERT INTO account VALUES (0)");
        serverB.stop(containers);
        try (ServerConfig a = ServerConfig.addToRunning("nodeA", JdbcStoreIT.config(POSTGRES));
                ServerConfig b = ServerConfig.add("nodeB", JdbcStoreIT.config(POSTGRES))) {
            assertThat(List.of(a, b)).hasSize(2);
            serverB.start(containers);
            deployer.deploy("transactional-a");
            deployer.deploy("transactional-b");
            try {
                run();
            } finally {
                deployer.undeploy("transactional-a");
                serverB.start(containers); // it is dead where the test has failed
                deployer.undeploy("transactional-b");
                serverB.stop(containers);
            }
        }
    }

    private void run() throws Exception {
        ConcurrentHashMap<Integer, AtomicInteger> answers = new ConcurrentHashMap<>();
        ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
        try {
            for (int kill = 0; kill < KILLS; kill++) {
                int first = kill * DELIVERIES / KILLS;
                int last = (kill + 1) * DELIVERIES / KILLS;
                List<Future<?>> sent = IntStream.range(first, last)
                        .<Future<?>>mapToObj(it -> senders.submit(() -> deliver(it, answers)))
                        .toList();
                String key = "killed-" + kill;
                String point = stop(kill);
                var stopped = Http.sendAsync(request(servers.get(1), key, point));
                if (!point.equals("before-claim")) {
                    await().atMost(Duration.ofSeconds(60)).until(() -> Effects.SHARED.count(key + "-" + point) == 1);
                }
                serverB.kill(containers);
                assertThat(stopped.handle((answer, failure) -> true).join()).isTrue();
                Effects.SHARED.open(key + "-" + point);
                await().atMost(Duration.ofSeconds(60))
                        .ignoreExceptions()
                        .until(() ->
                                Http.send(request(servers.get(0), key, "none")).statusCode() == 200);
                serverB.start(containers);
                for (Future<?> each : sent) {
                    each.get();
                }
            }
        } finally {
            senders.shutdownNow();
        }
        System.out.println("answers by status, 0 for none: " + answers);
        long distinct = (long) DELIVERIES + KILLS;
        assertThat(JdbcStoreIT.number(POSTGRES, "SELECT balance FROM account")).isEqualTo(distinct);
        assertThat(JdbcStoreIT.number(POSTGRES, "SELECT count(*) FROM exactly_once WHERE fence > 0"))
                .isEqualTo(distinct);
        assertThat(JdbcStoreIT.number(POSTGRES, "SELECT count(*) FROM exactly_once_outbox"))
                .isEqualTo(distinct);
        assertThat(answers.keySet()).isSubsetOf(0, 200, 404, 409, 503);
    }
}
