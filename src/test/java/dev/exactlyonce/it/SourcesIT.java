package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.Delivery;
import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.ExactlyOnceRunner;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.io.StringReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a source does beside signatures: events, handshakes, batches. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class SourcesIT {
    private static final String SECRET = "open sesame";

    @ArquillianResource
    java.net.URL url;

    @Deployment(testable = false)
    static WebArchive application() {
        return Wars.configured(
                Wars.of("sources", App.class, Hooks.class, Tenants.class, TenantHooks.class, Broken.class)
                        .addClass(SourcesIT.class),
                "exactlyonce.store=memory",
                "exactlyonce.source.github.preset=github",
                "exactlyonce.source.github.secret=" + SECRET,
                "exactlyonce.source.github.events=issues.opened,push",
                "exactlyonce.source.slack.preset=slack",
                "exactlyonce.source.slack.secret=" + SECRET,
                "exactlyonce.source.meta.preset=meta",
                "exactlyonce.source.meta.secret=" + SECRET,
                "exactlyonce.source.meta.verify-token=typed in",
                "exactlyonce.sources=batch,keeping",
                "exactlyonce.source.batch.missing-key=body",
                "exactlyonce.source.keeping.missing-key=body",
                "exactlyonce.source.keeping.record-on=always");
    }

    @ApplicationPath("/")
    public static class App extends Application {}

    /** The items that fail once. */
    @ApplicationScoped
    public static class Broken {
        private final ConcurrentSkipListSet<String> seen = new ConcurrentSkipListSet<>();

        void failOnce(String item) {
            if (item.startsWith("broken") && seen.add(item)) {
                throw new IllegalStateException("once");
            }
        }
    }

    @Path("/tenants")
    @RequestScoped
    public static class Tenants {
        @Path("{tenant}/hooks")
        public Class<TenantHooks> hooks() {
            return TenantHooks.class;
        }
    }

    @RequestScoped
    public static class TenantHooks {
        @POST
        @Path("meta")
        @ExactlyOnce("meta")
        public String meta(String event) {
            return "ran";
        }
    }

    @Path("/")
    @RequestScoped
    public static class Hooks {
        @Inject
        ExactlyOnceRunner runner;

        @Inject
        Broken broken;

        @Inject
        Delivery delivery;

        @POST
        @Path("github")
        @ExactlyOnce("github")
        public String github(String event) {
            return "ran";
        }

        @POST
        @Path("slack")
        @ExactlyOnce("slack")
        public String slack(String event) {
            return "ran " + delivery.source();
        }

        @POST
        @Path("of/{any}/meta")
        @ExactlyOnce("meta")
        public String meta(String event) {
            return "ran";
        }

        @POST
        @Path("batch/{source}")
        @ExactlyOnce("{source}")
        public String batch(String events) throws Exception {
            StringBuilder ran = new StringBuilder("ran");
            try (JsonReader reader = Json.createReader(new StringReader(events))) {
                runner.forEach(reader.readArray().getValuesAs(JsonString::getString), item -> List.of(item), item -> {
                    broken.failOnce(item);
                    ran.append(' ').append(item);
                });
            }
            return ran.toString();
        }
    }

    private static String hmac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return new Http(url.toString()).request(path);
    }

    private HttpResponse<String> github(String event, String id, String body) {
        return Http.send(request("/github")
                .header("X-GitHub-Event", event)
                .header("X-GitHub-Delivery", id)
                .header("X-Hub-Signature-256", "sha256=" + hmac(body))
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    private HttpResponse<String> slack(Instant when, String body) {
        return Http.send(request("/slack")
                .header("X-Slack-Request-Timestamp", Long.toString(when.getEpochSecond()))
                .header("X-Slack-Signature", "v0=" + hmac("v0:" + when.getEpochSecond() + ":" + body))
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    private HttpResponse<String> batch(String source, String items) {
        return Http.send(
                request("/batch/" + source).POST(BodyPublishers.ofString(items)).build());
    }

    @Test
    void onlyTheEventsThatAreNamedReachTheHandler() {
        assertThat(github("issues", "1", "{\"action\":\"opened\"}").body()).isEqualTo("ran");
        assertThat(github("issues", "2", "{\"action\":\"closed\"}").body()).isEqualTo("{\"status\":\"skipped\"}");
        assertThat(github("push", "3", "{}").body()).isEqualTo("ran");
        assertThat(github("push", "3", "{}").body()).isEqualTo("{\"status\":\"duplicate\"}");
    }

    @Test
    void aHandshakeIsAnsweredOnceItsSignatureIsVerifiedAndNoHandlerSeesIt() {
        String handshake = "{\"type\":\"url_verification\",\"challenge\":\"3eZbrw1a\"}";
        Instant now = Instant.now();

        HttpResponse<String> answer = slack(now, handshake);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("3eZbrw1a");
        assertThat(Http.send(request("/slack")
                                .POST(BodyPublishers.ofString(handshake))
                                .build())
                        .statusCode())
                .isEqualTo(401);
        assertThat(slack(now.minusSeconds(400), handshake).statusCode()).isEqualTo(401);
        assertThat(slack(now, "{\"type\":\"event_callback\",\"event_id\":\"Ev1\"}")
                        .body())
                .isEqualTo("ran slack");
    }

    @Test
    void aGetChallengeIsAnsweredWhereNoMethodTakesAGet() {
        Http server = new Http(url.toString());
        String challenge = "?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=";

        HttpResponse<String> answer = server.get("/of/any/meta" + challenge + "typed%20in");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("1158201444");
        assertThat(server.get("/of/any/meta" + challenge + "other").statusCode())
                .isEqualTo(403);
        assertThat(server.get("/of/any/meta").statusCode()).isEqualTo(405);
        assertThat(server.get("/github" + challenge + "typed%20in").statusCode())
                .isEqualTo(405);
    }

    @Test
    void aGetChallengeIsAnsweredAtTheAddressOfASubResourceToo() {
        Http server = new Http(url.toString());
        String challenge = "?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=typed%20in";

        assertThat(server.get("/tenants/acme/hooks/meta" + challenge).body()).isEqualTo("1158201444");
        assertThat(server.get("/meta" + challenge).statusCode()).isEqualTo(404);
    }

    @Test
    void aBatchWithAnItemThatFailsIsAnErrorAndItsRetryRunsThatItemAlone() {
        assertThat(batch("batch", "[\"a\",\"broken-b\",\"c\"]").statusCode()).isEqualTo(500);
        assertThat(batch("batch", "[\"a\",\"broken-b\",\"c\"]").body()).isEqualTo("ran broken-b");
        assertThat(batch("batch", "[\"a\",\"broken-b\",\"c\"]").body()).isEqualTo("{\"status\":\"duplicate\"}");
        assertThat(batch("batch", "[\"c\",\"d\"]").body()).isEqualTo("ran d");
    }

    @Test
    void aBatchThatIsNotCompleteIsNotRecordedAlsoWhereFailuresAre() {
        assertThat(batch("keeping", "[\"broken-k\",\"l\"]").statusCode()).isEqualTo(500);
        assertThat(batch("keeping", "[\"broken-k\",\"l\"]").body()).isEqualTo("ran"); // each item is recorded by now
        assertThat(batch("keeping", "[\"broken-k\",\"l\"]").body()).isEqualTo("{\"status\":\"duplicate\"}");
    }
}
