package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.ExactlyOnce;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

/** The store jdbc on a DataSource of the server. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class JdbcStoreIT {
    private static final EmbeddedPostgres POSTGRES = start();

    private final Http http = new Http(Node.b("/jdbc/api"));
    private final Server serverB = new Server("nodeB");

    @ArquillianResource
    ContainerController servers;

    @ArquillianResource
    Deployer deployer;

    static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.start(); // ended with this process
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Deployment(name = "jdbc", managed = false, testable = false)
    @TargetsContainer("nodeB")
    static WebArchive application() {
        return Wars.configured(
                Wars.of("jdbc", App.class, Accounts.class, EffectsClient.class),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.store=jdbc",
                "exactlyonce.jdbc.data-source=jdbc/shop",
                "exactlyonce.source.shop.mode=transactional",
                "exactlyonce.source.billing.on-outage=reject");
    }

    @ApplicationPath("/api")
    public static class App extends Application {}

    @Path("/accounts")
    @ApplicationScoped
    public static class Accounts {
        @Resource(lookup = "jdbc/shop")
        DataSource database;

        @Resource
        TransactionSynchronizationRegistry transaction;

        @Inject
        EffectsClient effects;

        @POST
        @Path("/pay")
        @ExactlyOnce("billing")
        @Transactional
        public String pay() throws SQLException {
            add();
            return "paid";
        }

        @POST
        @Path("/slow")
        @ExactlyOnce("billing")
        @Transactional
        public String slow() throws SQLException {
            add();
            effects.happen("jdbc-slow");
            effects.waitAt("jdbc-slow");
            return "paid";
        }

        @POST
        @Path("/fail")
        @ExactlyOnce("billing")
        @Transactional
        public String fail() throws SQLException {
            add();
            throw new IllegalStateException("undone");
        }

        @POST
        @Path("/transactional/{how}")
        @ExactlyOnce("shop")
        @Transactional
        public Response transactional(@PathParam("how") String how) throws Exception {
            add();
            return end(how);
        }

        @POST
        @Path("/begun/{how}")
        @ExactlyOnce("shop")
        public Response begun(@PathParam("how") String how) throws Exception {
            add();
            return end(how);
        }

        @POST
        @Path("/requires-new/{how}")
        @ExactlyOnce("shop")
        @Transactional(Transactional.TxType.REQUIRES_NEW)
        public Response requiresNew(@PathParam("how") String how) throws Exception {
            add();
            return end(how);
        }

        @POST
        @Path("/supports/{how}")
        @ExactlyOnce("shop")
        @Transactional(Transactional.TxType.SUPPORTS)
        public Response supports(@PathParam("how") String how) throws Exception {
            add();
            return end(how);
        }

        @POST
        @Path("/committed/{how}")
        @ExactlyOnce("shop")
        @Transactional(dontRollbackOn = IllegalStateException.class)
        public Response committed(@PathParam("how") String how) throws Exception {
            add();
            return end(how);
        }

        private Response end(String how) throws Exception {
            switch (how) {
                case "unchecked" -> throw new IllegalStateException("undone");
                case "checked" -> throw new IOException("undone");
                case "conflict" -> throw new IllegalStateException(new SQLException("a conflict", "40001"));
                case "undone" -> transaction.setRollbackOnly();
                case "slow" -> {
                    effects.happen("transactional-slow");
                    effects.waitAt("transactional-slow");
                }
                default -> {}
            }
            return how.equals("refused")
                    ? Response.status(422).build()
                    : Response.ok(how).build();
        }

        private void add() throws SQLException {
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE account SET balance = balance + 1");
            }
        }
    }

    static String config(EmbeddedPostgres postgres) throws ClassNotFoundException {
        String jar = Class.forName("org.postgresql.Driver") // comes with the database
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        return """
                <featureManager><feature>jdbc-4.2</feature></featureManager>
                <library id="postgres"><file name="%s"/></library>
                <dataSource jndiName="jdbc/shop" type="javax.sql.XADataSource">
                  <jdbcDriver libraryRef="postgres"/>
                  <properties.postgresql serverName="localhost" portNumber="%d" databaseName="postgres"
                    user="postgres" password="postgres"/>
                </dataSource>""".formatted(jar, postgres.getPort());
    }

    static void execute(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long number(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private CompletableFuture<HttpResponse<String>> send(String path, String key) {
        return Http.sendAsync(http.request("/accounts/" + path)
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.noBody())
                .build());
    }

    private static long balance() throws SQLException {
        return number(POSTGRES, "SELECT balance FROM account");
    }

    @Test
    void deliveriesRunOnceOnADataSourceOfTheServer() throws Exception {
        execute(POSTGRES, "CREATE TABLE account (balance BIGINT NOT NULL)");
        execute(POSTGRES, "INSERT INTO account VALUES (0)");
        try (ServerConfig database = ServerConfig.add("nodeB", config(POSTGRES))) {
            assertThat(database).isNotNull();
            serverB.stop(servers);
            serverB.start(servers);
            deployer.deploy("jdbc");

            assertThat(send("pay", "one").join().body()).isEqualTo("paid");
            assertThat(send("pay", "one").join().body()).contains("duplicate");
            assertThat(balance()).isEqualTo(1);

            assertThat(send("fail", "undone").join().statusCode()).isEqualTo(500);
            assertThat(send("fail", "undone").join().statusCode()).isEqualTo(500);
            assertThat(balance()).isEqualTo(1);

            List<CompletableFuture<HttpResponse<String>>> copies =
                    IntStream.range(0, 16).mapToObj(it -> send("pay", "many")).toList();
            assertThat(copies)
                    .allMatch(it -> it.join().statusCode() == 200 || it.join().statusCode() == 409);
            assertThat(balance()).isEqualTo(2);

            CompletableFuture<HttpResponse<String>> slow = send("slow", "slow");
            await().atMost(Duration.ofSeconds(30)).until(() -> Effects.SHARED.count("jdbc-slow") == 1);
            assertThat(send("slow", "slow").join().statusCode()).isEqualTo(409);
            assertThat(number(POSTGRES, "SELECT count(*) FROM exactly_once WHERE value LIKE '1|in-flight|%'"))
                    .isEqualTo(1);
            Effects.SHARED.open("jdbc-slow");
            assertThat(slow.join().body()).isEqualTo("paid");
            assertThat(balance()).isEqualTo(3);

            recordsAreWrittenInTheTransactionOfTheHandler();

            assertThat(number(POSTGRES, "SELECT count(DISTINCT fence) FROM exactly_once WHERE fence > 0"))
                    .isEqualTo(balance());
        } finally {
            deployer.undeploy("jdbc"); // without its database it would keep the next start's readiness DOWN
            serverB.stop(servers);
        }
    }

    private void recordsAreWrittenInTheTransactionOfTheHandler() throws Exception {
        for (String method : List.of("transactional", "begun", "requires-new", "supports")) {
            long before = balance();
            for (String failure : List.of("unchecked", "checked", "undone")) {
                assertThat(send(method + "/" + failure, "failed").join().statusCode())
                        .as(method + " " + failure)
                        .isEqualTo(500);
            }
            assertThat(send(method + "/refused", "refused").join().statusCode()).isEqualTo(422);
            HttpResponse<String> conflict =
                    send(method + "/conflict", "conflict").join();
            assertThat(conflict.statusCode()).isEqualTo(503);
            assertThat(conflict.headers().firstValue("Retry-After")).isPresent();
            assertThat(balance()).as(method).isEqualTo(before);

            assertThat(send(method + "/ok", "one").join().body()).isEqualTo("ok");
            HttpResponse<String> duplicate = send(method + "/ok", "one").join();
            assertThat(duplicate.body()).contains("duplicate");
            assertThat(balance()).as(method).isEqualTo(before + 1);
        }
        long before = balance();
        assertThat(send("committed/unchecked", "kept").join().statusCode()).isEqualTo(500);
        assertThat(send("committed/unchecked", "kept").join().headers().firstValue("Idempotent-Replayed"))
                .hasValue("true");
        assertThat(balance()).isEqualTo(before + 1);

        CompletableFuture<HttpResponse<String>> slow = send("transactional/slow", "slow");
        await().atMost(Duration.ofSeconds(30)).until(() -> Effects.SHARED.count("transactional-slow") == 1);
        HttpResponse<String> copy = send("transactional/slow", "slow").join();
        assertThat(copy.statusCode()).isEqualTo(409);
        assertThat(copy.headers().firstValue("Retry-After")).isPresent();
        Effects.SHARED.open("transactional-slow");
        assertThat(slow.join().body()).isEqualTo("slow");
        assertThat(balance()).isEqualTo(before + 2);
    }
}
