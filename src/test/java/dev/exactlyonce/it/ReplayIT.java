package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What copies of recorded deliveries get on a real server, where they are not only acknowledged. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class ReplayIT {
    private static final List<String> KEPT =
            List.of("Content-Type", "Content-Language", "Location", "ETag", "Retry-After", "Content-Length");

    @ArquillianResource
    java.net.URL url;

    private Http http;

    @Deployment(testable = false)
    static WebArchive application() {
        return Wars.configured(
                Wars.of(
                        "replay",
                        Handlers.App.class,
                        Handlers.Runs.class,
                        ReplayHandlers.Receipt.class,
                        ReplayHandlers.MapsAll.class,
                        ReplayHandlers.Replays.class,
                        ReplayHandlers.ReplaysByClass.class,
                        ReplayHandlers.Contract.class,
                        ReplayHandlers.JsonContract.class,
                        ReplayHandlers.ReplaysByContract.class,
                        ReplayHandlers.ReplaysFailures.class,
                        ReplayHandlers.Forwards.class),
                "exactlyonce.sqlite.path=replay-" + System.nanoTime() + ".db",
                "exactlyonce.remember=1",
                "exactlyonce.source.replays.duplicate=replay",
                "exactlyonce.source.replays.replay.max-size=1000",
                "exactlyonce.source.replays-failures.duplicate=replay",
                "exactlyonce.source.replays-failures.record-on=always",
                "exactlyonce.source.forwards.duplicate=forward");
    }

    @BeforeEach
    void connect() {
        http = new Http(url + "api");
    }

    private HttpResponse<byte[]> post(String path) {
        return Http.sendForBytes(http.delivery(path, "key"));
    }

    @ParameterizedTest
    @CsvSource({
        "replays/text, 200",
        "replays/latin, 200",
        "replays/choice, 200",
        "replays/bytes, 200",
        "replays/nothing, 204",
        "replays/pojo, 200",
        "replays/list, 200",
        "replays/jsonp, 200",
        "replays/stage, 200",
        "replays/response, 201",
        "replays/accepted, 202",
        "replays-by-class, 200",
        "replays-by-contract/method, 200",
        "replays-by-contract/type, 200"
    })
    void aCopyGetsTheFirstAnswerByteForByteFromTheReplicaAndFromTheStore(String path, int status) {
        HttpResponse<byte[]> first = post("/" + path);
        assertThat(first.statusCode()).isEqualTo(status);
        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertReplayed(post("/" + path), first);

        http.post("/forwards", "the one that is remembered now, after " + path);
        assertReplayed(post("/" + path), first);
    }

    private static void assertReplayed(HttpResponse<byte[]> copy, HttpResponse<byte[]> first) {
        assertThat(copy.statusCode()).isEqualTo(first.statusCode());
        assertThat(copy.body()).isEqualTo(first.body());
        assertThat(copy.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(KEPT)
                .allSatisfy(it -> assertThat(copy.headers().allValues(it))
                        .as(it)
                        .isEqualTo(first.headers().allValues(it)));
    }

    @Test
    void whatBelongsToOneClientIsNotReplayed() {
        HttpResponse<String> first = http.post("/replays/response", "cookie");
        assertThat(first.headers().firstValue("Set-Cookie")).isPresent();
        HttpResponse<String> copy = http.post("/replays/response", "cookie");

        assertThat(copy.headers().firstValue("Location"))
                .isEqualTo(first.headers().firstValue("Location"))
                .isPresent();
        assertThat(copy.headers().map()).doesNotContainKeys("set-cookie", "x-internal", "www-authenticate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream", "input", "large", "large-json", "json-stage"})
    void anAnswerThatIsNotKeptIsAcknowledgedAndTheHandlerDoesNotRunAgain(String kind) {
        assertThat(http.post("/replays/" + kind, "key").statusCode()).isEqualTo(200);
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> copy = http.post("/replays/" + kind, "key");
            assertThat(copy.statusCode()).isEqualTo(200);
            assertThat(copy.body()).isEqualTo("{\"status\":\"duplicate\"}");
            assertThat(copy.headers().firstValue("Idempotent-Replayed")).contains("true");
        }
    }

    @ParameterizedTest
    @CsvSource({"returned, 422, refused 1", "thrown, 503, thrown 1"})
    void aFailureThatRecordOnKeepsIsReplayedWithItsStatusAndBody(String kind, int status, String body) {
        HttpResponse<byte[]> first = post("/replays-failures/" + kind);
        assertThat(first.statusCode()).isEqualTo(status);
        assertThat(first.body()).asString().isEqualTo(body);
        assertReplayed(post("/replays-failures/" + kind), first);
    }

    @Test
    void aFailureWhoseAnswerIsAMappersKeepsItsOwnStatusAndNoBody() {
        assertThat(http.post("/replays-failures/mapped", "key").body()).isEqualTo("mapped");
        HttpResponse<String> copy = http.post("/replays-failures/mapped", "key");
        assertThat(copy.statusCode()).isEqualTo(400);
        assertThat(copy.body()).contains("processed before").doesNotContain("secret text");
    }

    @Test
    void aForwardedDuplicateReachesTheHandlerFlaggedAndChangesNothing() {
        assertThat(http.post("/forwards", "key").body()).isEqualTo("run 1, duplicate false, owned true");
        HttpResponse<String> copy = http.post("/forwards", "key");
        assertThat(copy.body()).isEqualTo("run 2, duplicate true, owned false");
        assertThat(copy.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(http.post("/forwards", "key").statusCode()).isEqualTo(500);
        assertThat(http.post("/forwards", "key").body()).isEqualTo("run 4, duplicate true, owned false");
    }
}
