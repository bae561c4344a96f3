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
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.io.StringReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
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

/** What a source does beside signatures: keys, events, forms, handshakes, batches. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class SourcesIT {
    private static final String SECRET = "open sesame";
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final java.nio.file.Path LOG =
            java.nio.file.Path.of(System.getProperty("liberty.home"), "usr/servers/nodeA/logs/messages.log");

    @ArquillianResource
    java.net.URL url;

    @Deployment(testable = false)
    static WebArchive application() {
        return Wars.configured(
                Wars.of("sources", App.class, Hooks.class, Broken.class).addClass(SourcesIT.class),
                "exactlyonce.store=memory",
                "exactlyonce.source.github.preset=github",
                "exactlyonce.source.github.secret=" + SECRET,
                "exactlyonce.source.github.events=issues.opened,push",
                "exactlyonce.source.github.url-validation=none",
                "exactlyonce.source.slack.preset=slack",
                "exactlyonce.source.slack.secret=" + SECRET,
                "exactlyonce.source.meta.preset=meta",
                "exactlyonce.source.meta.secret=" + SECRET,
                "exactlyonce.source.meta.verify-token=typed in",
                "exactlyonce.sources=batch,keeping,form,mailgun,queried",
                "exactlyonce.source.batch.url-validation=get",
                "exactlyonce.source.form.key=form:txn_id",
                "exactlyonce.source.mailgun.preset=mailgun",
                "exactlyonce.source.mailgun.secret=" + SECRET,
                "exactlyonce.source.queried.preset=hmac",
                "exactlyonce.source.queried.secret=" + SECRET,
                "exactlyonce.source.queried.signature-header=X-Sig",
                "exactlyonce.source.queried.signed-content={query:account}.{body}",
                "exactlyonce.source.queried.key=query:account",
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
        @Path("any/{source}")
        @ExactlyOnce("{source}")
        public String any(String body) {
            return "ran";
        }

        @GET
        @Path("any/form")
        public String ownGet() {
            return "own";
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
        return github(event, id, "1", "application/json", body);
    }

    private HttpResponse<String> github(String event, String id, String hook, String type, String body) {
        return Http.send(request("/github")
                .header("Content-Type", type)
                .header("X-GitHub-Event", event)
                .header("X-GitHub-Delivery", id)
                .header("X-GitHub-Hook-ID", hook)
                .header("X-Hub-Signature-256", "sha256=" + hmac(body))
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    private HttpResponse<String> any(String source, String query, String body, String... headers) {
        return Http.send(request("/any/" + source + query)
                .headers(headers)
                .POST(BodyPublishers.ofString(body, StandardCharsets.ISO_8859_1))
                .build());
    }

    private int status(String method, String path) {
        return Http.send(request(path).method(method, BodyPublishers.noBody()).build())
                .statusCode();
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
    void anEventInAFormHasItsActionInThePayload() {
        String opened = "payload=" + URLEncoder.encode("{\"action\":\"opened\"}", StandardCharsets.UTF_8);
        String closed = "payload=" + URLEncoder.encode("{\"action\":\"closed\"}", StandardCharsets.UTF_8);
        assertThat(github("issues", "4", "1", FORM, opened).body()).isEqualTo("ran");
        assertThat(github("issues", "5", "1", FORM, closed).body()).isEqualTo("{\"status\":\"skipped\"}");
        assertThat(github("push", "6", "1", FORM, "payload=%7B").body()).isEqualTo("ran");
    }

    @Test
    void oneEventForTwoHooksAtOneAddressRunsForEachAndARepeatedOneDoesNot() {
        String type = "application/json";
        assertThat(github("push", "7", "1", type, "{}").body()).isEqualTo("ran");
        assertThat(github("push", "7", "2", type, "{}").body()).isEqualTo("ran");
        for (String hook : List.of("1", "2")) {
            assertThat(github("push", "7", hook, type, "{}").body()).isEqualTo("{\"status\":\"duplicate\"}");
        }
    }

    @Test
    void theBlanksAroundAHeadersValueAreNoPartOfItsKey() {
        String key = "Idempotency-Key";
        assertThat(any("batch", "", "1", key, "blank").body()).isEqualTo("ran");
        URI address = URI.create(url + "any/batch");
        for (String sent : List.of("blank", " blank ", " blank\t", "  \tblank \t ")) {
            assertThat(RawHttp.post(address, Map.of(key, sent), "1")).contains("{\"status\":\"duplicate\"}");
        }
        assertThat(any("batch", "", "1", key, "blank", key, "blank").statusCode())
                .isEqualTo(400);
    }

    @Test
    void aCodingThatIsNoneIsTakenForNoneAndToldOnce() throws Exception {
        for (String coding : List.of("UTF-8", "none", "identity")) {
            assertThat(any("keeping", "", coding, "Content-Encoding", coding).body())
                    .isEqualTo("ran");
            assertThat(any("keeping", "", coding, "Content-Encoding", coding).body())
                    .isEqualTo("{\"status\":\"duplicate\"}");
        }
        assertThat(any("keeping", "", "1", "Content-Encoding", "none, gzip").statusCode())
                .isEqualTo(415);
        for (String sent : List.of(" none\t", " \tidentity \t")) {
            assertThat(RawHttp.post(URI.create(url + "any/keeping"), Map.of("Content-Encoding", sent), sent))
                    .contains("ran");
        }
        assertThat(java.nio.file.Files.readString(LOG)).containsOnlyOnce("EXON0440 keeping:");
    }

    @Test
    void aKeyInAFormIsFoundBesideFieldsOfAnotherCharsetAndInParts() {
        String field = "&address_name=Garc%EDa&charset=windows-1252";
        assertThat(any("form", "", "txn_id=1" + field, "Content-Type", FORM).body())
                .isEqualTo("ran");
        assertThat(any("form", "", "txn_id=1" + field, "Content-Type", FORM).body())
                .isEqualTo("{\"status\":\"duplicate\"}");
        String parts = """
                --b\r
                Content-Disposition: form-data; name="file"; filename="f"\r
                \r
                \u00ff\r
                --b\r
                Content-Disposition: form-data; name="txn_id"\r
                \r
                2\r
                --b--\r
                """;
        assertThat(any("form", "", parts, "Content-Type", "multipart/form-data; boundary=b")
                        .body())
                .isEqualTo("ran");
        assertThat(any("form", "", "txn_id=2", "Content-Type", FORM).body()).isEqualTo("{\"status\":\"duplicate\"}");
    }

    @Test
    void whatAMailgunRouteForwardsRunsOnce() {
        String time = Long.toString(Instant.now().getEpochSecond());
        String form = "timestamp=" + time + "&token=t1&subject=%E9&signature=" + hmac(time + "t1");
        assertThat(any("mailgun", "", form, "Content-Type", FORM).body()).isEqualTo("ran");
        assertThat(any("mailgun", "", form, "Content-Type", FORM).body()).isEqualTo("{\"status\":\"duplicate\"}");
        assertThat(any("mailgun", "", form.replace("t1", "t2"), "Content-Type", FORM)
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void aSignedQueryParameterIsVerified() {
        String signature = hmac("a+b.{}");
        assertThat(any("queried", "?account=a%2Bb", "{}", "X-Sig", signature).body())
                .isEqualTo("ran");
        assertThat(any("queried", "?account=c", "{}", "X-Sig", signature).statusCode())
                .isEqualTo(401);
    }

    @Test
    void aSenderThatAsksWhetherTheAddressIsThereIsAnsweredWhereNoMethodTakesItsRequest() {
        HttpResponse<String> head = Http.send(
                request("/slack").method("HEAD", BodyPublishers.noBody()).build());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(status("HEAD", "/of/any/meta")).isEqualTo(200);
        assertThat(status("GET", "/slack")).isEqualTo(405);
        assertThat(status("HEAD", "/github")).isEqualTo(405);
        assertThat(status("GET", "/batch/batch")).isEqualTo(200);
        assertThat(status("HEAD", "/batch/batch")).isEqualTo(200);
        assertThat(status("GET", "/batch/keeping")).isEqualTo(405);
        assertThat(status("HEAD", "/batch/undeclared")).isEqualTo(405);
        assertThat(status("PUT", "/batch/batch")).isEqualTo(405);
        assertThat(status("HEAD", "/nowhere")).isEqualTo(404);
        assertThat(new Http(url.toString()).get("/any/form").body()).isEqualTo("own");
        assertThat(status("HEAD", "/any/form")).isEqualTo(200);
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
