package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.WebhookEvent;
import dev.exactlyonce.sender.WebhookSender;
import dev.exactlyonce.sender.dispatch.HookServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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

/** An outbox in the application's own PostgreSQL: what is sent in a transaction is undone with it. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class TransactionalOutboxIT {
    private static final HookServer RECEIVER = HookServer.start();
    private static final EmbeddedPostgres POSTGRES = postgres();

    private final Http http = new Http(Node.b("/outbox/api"));
    private final Server serverB = new Server("nodeB");

    @ArquillianResource
    ContainerController servers;

    @ArquillianResource
    Deployer deployer;

    private static EmbeddedPostgres postgres() {
        try {
            return EmbeddedPostgres.start(); // ended with this process
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Deployment(name = "outbox", managed = false, testable = false)
    @TargetsContainer("nodeB")
    static WebArchive application() {
        return application("outbox", "jdbc/outbox");
    }

    @Deployment(name = "outbox-missing", managed = false, testable = false)
    static WebArchive withoutItsDataSource() {
        return application("outbox-missing", "jdbc/missing");
    }

    private static WebArchive application(String name, String dataSource) {
        return Wars.configured(
                Wars.withSender(Wars.of(name, App.class, Orders.class, EffectsClient.class)),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.sender.data-source=" + dataSource,
                "exactlyonce.sender.endpoints=crm",
                "exactlyonce.sender.endpoint.crm.url=" + RECEIVER.url(),
                "exactlyonce.sender.endpoint.crm.allow-private=true",
                "exactlyonce.sender.endpoint.crm.secret=a-secret-of-16-chars");
    }

    @ApplicationPath("/api")
    public static class App extends Application {}

    @Path("/orders")
    @ApplicationScoped
    public static class Orders {
        @Inject
        WebhookSender sender;

        @Inject
        EffectsClient effects;

        private String send(String order) {
            return sender.send("crm", WebhookEvent.json(new EventKey(order), order))
                    .name();
        }

        @POST
        @Path("/{order}")
        @Transactional
        public String commit(@PathParam("order") String order) {
            return send(order);
        }

        @POST
        @Path("/{order}/later")
        @Transactional
        public String commitLater(@PathParam("order") String order) {
            String sent = send(order);
            effects.happen(order + "-sent");
            effects.waitAt(order);
            return sent;
        }

        @POST
        @Path("/{order}/failed")
        @Transactional
        public String rollBack(@PathParam("order") String order) {
            send(order);
            throw new IllegalStateException("undone");
        }

        @POST
        @Path("/{order}/alone")
        public String alone(@PathParam("order") String order) {
            return send(order);
        }
    }

    private static String config() throws ClassNotFoundException {
        String jar = Class.forName("org.postgresql.Driver") // comes with the database
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        return """
                <featureManager><feature>jdbc-4.2</feature></featureManager>
                <library id="postgres"><file name="%s"/></library>
                <dataSource jndiName="jdbc/outbox" type="javax.sql.XADataSource">
                  <jdbcDriver libraryRef="postgres"/>
                  <properties.postgresql serverName="localhost" portNumber="%d" databaseName="postgres"
                    user="postgres" password="postgres"/>
                </dataSource>""".formatted(jar, POSTGRES.getPort());
    }

    private HttpRequest post(String path) {
        return http.request("/orders/" + path).POST(BodyPublishers.noBody()).build();
    }

    private static long received(String order) {
        return RECEIVER.requests().stream().filter(it -> it.key().equals(order)).count();
    }

    private static void awaitReceived(String order) {
        await().atMost(Duration.ofSeconds(60)).until(() -> received(order) == 1);
    }

    private static int rows(String order) throws SQLException {
        try (Connection connection = POSTGRES.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT count(*) FROM exactly_once_outbox WHERE event_key = '" + order + "'")) {
            row.next();
            return row.getInt(1);
        }
    }

    @Test
    void anEventIsSentWhenItsTransactionCommitsAndNeverWhenItDoesNot() throws Exception {
        try (ServerConfig database = ServerConfig.add("nodeB", config())) {
            assertThat(database).isNotNull();
            serverB.stop(servers);
            serverB.start(servers);
            deployer.deploy("outbox");

            assertThat(Http.send(post("committed")).body()).isEqualTo("QUEUED");
            awaitReceived("committed");
            assertThat(Http.send(post("committed")).body()).isEqualTo("KNOWN");
            assertThat(Http.send(post("alone/alone")).body()).isEqualTo("QUEUED");
            awaitReceived("alone");

            assertThat(Http.send(post("undone/failed")).statusCode()).isEqualTo(500);
            assertThat(rows("undone")).isZero();
            assertThat(Http.send(post("undone")).body()).isEqualTo("QUEUED");
            awaitReceived("undone");

            CompletableFuture<HttpResponse<String>> later = Http.sendAsync(post("outbox-slow/later"));
            await().until(() -> Effects.SHARED.count("outbox-slow-sent") == 1);
            assertThat(Http.send(post("other")).body()).isEqualTo("QUEUED");
            awaitReceived("other"); // the dispatcher was there meanwhile
            assertThat(received("outbox-slow")).isZero();
            assertThat(rows("outbox-slow")).isZero();
            Effects.SHARED.open("outbox-slow");
            assertThat(later.join().body()).isEqualTo("QUEUED");
            awaitReceived("outbox-slow");

            CompletableFuture<HttpResponse<String>> dying = Http.sendAsync(post("outbox-dying/later"));
            await().until(() -> Effects.SHARED.count("outbox-dying-sent") == 1);
            serverB.kill(servers);
            assertThat(dying).failsWithin(Duration.ofSeconds(30));
            serverB.start(servers);
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> Http.send(post("restarted")).statusCode() == 200);
            awaitReceived("restarted");
            assertThat(rows("outbox-dying")).isZero();
            assertThat(received("outbox-dying")).isZero();
        } finally {
            deployer.undeploy("outbox"); // without its database it would keep the next start's readiness DOWN
            serverB.stop(servers);
        }
    }

    @Test
    void aDataSourceThatTheServerHasNotStopsTheDeployment() {
        assertThat(catchThrowable(() -> deployer.deploy("outbox-missing"))).isNotNull();
        assertThat(new Http(Node.a("/outbox-missing/api")).get("/orders").statusCode())
                .isEqualTo(404);
        deployer.undeploy("outbox-missing");
    }
}
