package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application with bound methods does on a real server. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class DeliveriesIT {
    /** 200 in a daily build; the profile {@code soak} takes more. */
    private static final int DELIVERIES = Integer.getInteger("deliveries", 200);

    private static final String FILE = "deliveries-" + System.nanoTime() + ".db";

    @ArquillianResource
    java.net.URL url;

    private Http http;

    @Deployment(testable = false)
    static WebArchive application() {
        return Wars.configured(
                        Wars.of(
                                "deliveries",
                                Handlers.App.class,
                                Handlers.Runs.class,
                                Handlers.RunsResource.class,
                                Handlers.Pojo.class,
                                Handlers.Returns.class,
                                Handlers.Fails.class,
                                Handlers.MappedToOk.class,
                                Handlers.Mapper.class,
                                Handlers.InTransaction.class,
                                Handlers.Commit.class,
                                Handlers.BeginsEarly.class,
                                Handlers.Tolerant.class,
                                Handlers.Keys.class,
                                Handlers.Valid.class,
                                Handlers.Webhook.class,
                                Handlers.ByStereotype.class,
                                Handlers.Contract.class,
                                Handlers.ByContract.class,
                                Handlers.Payment.class,
                                Handlers.ByAnotherBinding.class,
                                Handlers.BoundBase.class,
                                Handlers.BySuperclass.class,
                                Handlers.Unscoped.class,
                                Handlers.ByRunner.class,
                                Handlers.WithEffects.class,
                                SubResources.Hooks.class,
                                SubResources.TenantHooks.class,
                                SubResources.Orders.class,
                                SubResources.Between.class,
                                SubResources.Billing.class,
                                SubResources.Events.class,
                                SubResources.Receiver.class,
                                SubResources.GenericReceiver.class,
                                RollsBack.class,
                                RollsBack.Ledger.class,
                                LedgerBean.class,
                                LedgerBeanWithTimeout.class,
                                EffectsClient.class),
                        "effects.url=" + Effects.SHARED.url(),
                        "exactlyonce.sqlite.path=" + FILE,
                        "exactlyonce.sources=billing",
                        "exactlyonce.source.short.lease=PT2S",
                        "exactlyonce.source.keeps-all.record-on=always",
                        "exactlyonce.source.keeps-client-errors.record-on=client-error",
                        "exactlyonce.source.fingerprinted.fingerprint=body",
                        "exactlyonce.source.fingerprinted.in-flight-status=425")
                .addAsWebInfResource(new StringAsset(LedgerBeanWithTimeout.DESCRIPTOR), "ibm-ejb-jar-ext.xml");
    }

    @BeforeEach
    void connect() {
        http = new Http(url + "api");
    }

    @ParameterizedTest
    @CsvSource({
        "response, 201, response",
        "string, 200, body",
        "void, 204, ''",
        "stream, 200, stream",
        "stage, 200, stage",
        "future, 200, future",
        "pojo, 200, '{\"status\":\"pojo\"}'"
    })
    void aMethodOfAnyReturnTypeRunsOnceAndItsCopyIsADuplicate(String kind, int status, String body) {
        HttpResponse<String> first = http.post("/returns/" + kind, "key-" + kind);
        assertThat(first.statusCode()).isEqualTo(status);
        assertThat(first.body()).isEqualTo(body);
        assertDuplicate(http.post("/returns/" + kind, "key-" + kind));
    }

    @Test
    void putAndDeleteAreCoveredByAClassAndGetPassesThrough() {
        assertThat(Http.send(http.request("/returns/put")
                                .header("Idempotency-Key", "p")
                                .PUT(BodyPublishers.ofString("x"))
                                .build())
                        .body())
                .isEqualTo("put");
        assertDuplicate(Http.send(http.request("/returns/put")
                .header("Idempotency-Key", "p")
                .PUT(BodyPublishers.ofString("x"))
                .build()));
        assertThat(Http.send(http.request("/returns/delete")
                                .header("Idempotency-Key", "d")
                                .DELETE()
                                .build())
                        .body())
                .isEqualTo("delete");
        assertDuplicate(Http.send(http.request("/returns/delete")
                .header("Idempotency-Key", "d")
                .DELETE()
                .build()));
        assertThat(http.get("/returns/get").body()).isEqualTo("get 1");
        assertThat(http.get("/returns/get").body()).isEqualTo("get 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "status/302", "status/404", "status/500", "stage"})
    void aHandlerThatFailsRunsAgainOnTheRetry(String kind) {
        assertThat(http.post("/fails/" + kind, "key-" + kind).statusCode()).isNotEqualTo(200);
        assertThat(http.post("/fails/" + kind, "key-" + kind).body()).isEqualTo("second");
        assertDuplicate(http.post("/fails/" + kind, "key-" + kind));
    }

    @Test
    void anExceptionThatAMapperMakesA200IsAFailureAllTheSame() {
        assertThat(http.post("/fails/mapped", "m").body()).isEqualTo("mapped");
        assertThat(http.post("/fails/mapped", "m").body()).isEqualTo("second");
    }

    @Test
    void aStageThatItsTimeoutFailedKeepsItsClaimToTheLeasesEnd() {
        assertThat(http.post("/fails/timed-out", "t").statusCode()).isEqualTo(500);
        assertInFlight(http.post("/fails/timed-out", "t"), 409);
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() ->
                        assertThat(http.post("/fails/timed-out", "t").body()).isEqualTo("second"));
    }

    @Test
    void aFailureThatRecordOnKeepsIsAnsweredAgainWithItsStatus() {
        assertThat(http.post("/fails/kept", "k").statusCode()).isEqualTo(400);
        HttpResponse<String> copy = http.post("/fails/kept", "k");
        assertThat(copy.statusCode()).isEqualTo(400);
        assertThat(copy.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(copy.body()).contains("processed before").doesNotContain("secret text");
    }

    @Test
    void aCommitThatFailsAfterTheHandlerReturnedIsAFailureAndTheRetryRuns() {
        assertThat(send("/transaction", "tx", "tx-effect").statusCode()).isEqualTo(500);
        assertThat(Effects.SHARED.count("tx-effect")).isZero();
        assertThat(send("/transaction", "tx", "tx-effect").body()).isEqualTo("returned");
        assertThat(Effects.SHARED.count("tx-effect")).isEqualTo(1);
        assertDuplicate(send("/transaction", "tx", "tx-effect"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "own",
                "stage",
                "bean-of-its-own",
                "joined",
                "session-bean",
            })
    void aHandlerThatReturnsWhileItsTransactionIsRolledBackHasFailedAndTheRetryRuns(String kind) {
        assertProblem(http.post("/rolled-back/" + kind, kind), 500, "The delivery's transaction was rolled back");
        assertThat(http.post("/rolled-back/" + kind, kind).body()).isEqualTo("returned");
        assertDuplicate(http.post("/rolled-back/" + kind, kind));
    }

    @ParameterizedTest
    @ValueSource(strings = {"timeout", "session-bean-timeout"})
    void aTransactionThatOutlivesItsTimeoutIsAFailureAndTheRetryRuns(String kind) {
        assertThat(http.post("/rolled-back/" + kind, kind).statusCode()).isEqualTo(500); // thrown by the container
        assertThat(http.post("/rolled-back/" + kind, kind).body()).isEqualTo("returned");
        assertDuplicate(http.post("/rolled-back/" + kind, kind));
    }

    @ParameterizedTest
    @ValueSource(strings = {"caught", "user-transaction", "user-transaction-and-session-bean"})
    void aRollbackThatTheHandlerWasToldOfOrAskedForIsItsOwnToJudge(String kind) {
        assertThat(http.post("/rolled-back/" + kind, kind).body()).isEqualTo("returned");
        assertDuplicate(http.post("/rolled-back/" + kind, kind));
    }

    @Test
    void aRollbackThatRecordOnKeepsIsAnsweredAgain() {
        assertProblem(http.post("/rolled-back/kept", "kept"), 500, "The delivery's transaction was rolled back");
        HttpResponse<String> again = http.post("/rolled-back/kept", "kept");
        assertThat(again.statusCode()).isEqualTo(500);
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
    }

    @Test
    void workOfTheRunnerWhoseTransactionIsRolledBackRunsAgainAndTheDeliveryAroundItIsNotConcerned() {
        assertThat(http.post("/rolled-back/runner", "runner").body()).isEqualTo("again");
        assertDuplicate(http.post("/rolled-back/runner", "runner"));
    }

    @Test
    void aTransactionThatIsActiveAtEntryIsRefusedBeforeTheKeyIsReserved() {
        HttpResponse<String> refused = Http.send(http.request("/returns/string")
                .header("Idempotency-Key", "early")
                .header("X-Begin", "true")
                .POST(BodyPublishers.ofString("body"))
                .build());
        assertProblem(refused, 500, "could not be processed");
        assertThat(http.post("/returns/string", "early").body()).isEqualTo("body");
    }

    @Test
    void faultToleranceRetriesShareOneClaimAndAFallbackIsASuccess() {
        assertThat(http.post("/tolerant/retry", "r").body()).isEqualTo("run 3");
        assertDuplicate(http.post("/tolerant/retry", "r"));
        assertThat(http.post("/tolerant/fallback", "f").body()).isEqualTo("fallback");
        assertDuplicate(http.post("/tolerant/fallback", "f"));
    }

    @Test
    void anAsynchronousTimeoutKeepsTheClaimSinceTheWorkMayGoOn() {
        assertThat(http.post("/tolerant/timeout", "t").statusCode()).isEqualTo(500);
        assertInFlight(http.post("/tolerant/timeout", "t"), 409);
    }

    @Test
    void aKeyIsFoundInAHeaderOrItsAlternative() {
        assertThat(withHeader("X-Event-Id", "1").body()).isEqualTo("ok");
        assertDuplicate(withHeader("x-event-id", "1"));
        assertThat(withHeader("X-Old-Id", "2").body()).isEqualTo("ok");
        assertDuplicate(withHeader("X-Old-Id", "2"));
        assertProblem(withHeader("X-Other-Id", "3"), 400, "header:X-Event-Id|header:X-Old-Id");
    }

    private HttpResponse<String> withHeader(String name, String value) {
        return Http.send(http.request("/keys/header")
                .header(name, value)
                .POST(BodyPublishers.ofString("x"))
                .build());
    }

    @Test
    void aKeyIsFoundInQueryPathAndBody() {
        assertThat(post("/keys/query?event=a%20b", "text/plain", "x").body()).isEqualTo("ok");
        assertDuplicate(post("/keys/query?event=a%20b", "text/plain", "x"));
        assertProblem(
                post("/keys/query?event=a&event=b", "text/plain", "x"), 400, "query:event was sent more than once");

        assertThat(post("/keys/path/acme/7", "text/plain", "x").body()).isEqualTo("7");
        assertDuplicate(post("/keys/path/acme/7", "text/plain", "x"));
        assertThat(post("/keys/path/other/7", "text/plain", "x").body()).isEqualTo("7");

        assertThat(post("/keys/body", "text/plain", "same bytes").body()).isEqualTo("10");
        assertDuplicate(post("/keys/body", "text/plain", "same bytes"));
        assertThat(post("/keys/body", "text/plain", "").body()).isEqualTo("0");
    }

    @Test
    void aFormIsReadForItsKeyAndStillReachesTheHandler() {
        assertThat(post("/keys/form", "application/x-www-form-urlencoded", "event=e%C3%A91&amount=42")
                        .body())
                .isEqualTo("42");
        assertDuplicate(post("/keys/form", "application/x-www-form-urlencoded", "event=e%C3%A91&amount=43"));
        assertProblem(post("/keys/form", "application/x-www-form-urlencoded", "event=%FF"), 400, "form:event");
    }

    @Test
    void aJsonBodyIsReadForItsKeyAndStillReachesTheHandler() {
        String body = "{\"event\":{\"id\":\"j1\"}}";
        assertThat(post("/keys/json", "application/json", body).body()).isEqualTo(body);
        assertDuplicate(post("/keys/json", "application/json", body));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"event\":{\"id\":\"a\"}",
                "{\"event\":{\"id\":\"a\"}} trailing",
                "{\"event\":{\"id\":null}}",
                "{\"event\":{\"id\":\" \"}}",
                "{\"event\":{\"id\":{}}}",
                "{\"event\":{\"id\":1e999999}}",
                "{\"event\":{\"id\":\"\\ud800\"}}",
                "{\"event\":{\"id\":\"a\\u0000b\"}}"
            })
    void aJsonBodyWithoutAUsableKeyIsAnsweredAsABadRequest(String body) {
        assertProblem(post("/keys/json", "application/json", body), 400, "json:/event/id");
    }

    @Test
    void deeplyNestedJsonAndAKeyOfAMillionCharactersAreAnsweredAsBadRequests() {
        assertThat(post("/keys/json", "application/json", "[".repeat(10_000)).statusCode())
                .isEqualTo(400);
        assertThat(post("/keys/json", "application/json", "[".repeat(10_000) + "]".repeat(10_000))
                        .statusCode())
                .isEqualTo(400);
        assertProblem(
                post("/keys/json", "application/json", "{\"event\":{\"id\":\"" + "k".repeat(1_000_000) + "\"}}"),
                400,
                "longer than 1024 characters");
    }

    @Test
    void aBodyOverTheCapIsRefusedWithAndWithoutItsLength() {
        byte[] large = new byte[1_048_577];
        assertProblem(
                Http.send(http.request("/keys/body")
                        .POST(BodyPublishers.ofByteArray(large))
                        .build()),
                413,
                "1048576");
        assertProblem(
                Http.send(http.request("/keys/body")
                        .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(large)))
                        .build()),
                413,
                "1048576");
    }

    @Test
    void anEncodedBodyIsRefused() {
        assertProblem(
                Http.send(http.request("/keys/body")
                        .header("Content-Encoding", "gzip")
                        .POST(BodyPublishers.ofString("x"))
                        .build()),
                415,
                "Content-Encoding");
    }

    @Test
    void aRefusedDeliveryLeavesNothingInTheStore() throws SQLException {
        int before = rows();
        post("/keys/json", "application/json", "{");
        post("/keys/json", "application/json", "[".repeat(10_000));
        post("/keys/json", "application/json", "{\"event\":{\"id\":\"" + "k".repeat(1_000_000) + "\"}}");
        post("/keys/body", "application/octet-stream", "x".repeat(1_048_577));
        http.post("/returns/string", " ");
        http.post("/returns/string", "k".repeat(1025));
        http.post("/keys/source/nobody", "a");
        send("/valid", "never-valid", " ");
        assertThat(rows()).isEqualTo(before);

        http.post("/returns/string", "one-more");
        assertThat(rows()).isEqualTo(before + 1);
    }

    private static int rows() throws SQLException {
        Path file = Path.of(System.getProperty("liberty.home"), "usr/servers/nodeA", FILE);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM exactly_once")) {
            return row.getInt(1);
        }
    }

    @Test
    void aHeaderThatIsBlankTwiceOverOrOverlongIsRefused() {
        assertProblem(http.post("/returns/string", " "), 400, "header:Idempotency-Key|header:webhook-id");
        assertProblem(http.post("/returns/string", "k".repeat(1025)), 400, "longer than 1024 characters");
        assertProblem(
                Http.send(http.request("/returns/string")
                        .header("Idempotency-Key", "a")
                        .header("Idempotency-Key", "b")
                        .POST(BodyPublishers.ofString("x"))
                        .build()),
                400,
                "more than once");
        assertProblem(
                Http.send(http.request("/returns/string")
                        .POST(BodyPublishers.ofString("x"))
                        .build()),
                400,
                "No idempotency key");
    }

    @Test
    void anotherBodyUnderTheSameKeyIsRefusedWhereTheSourceAsksForIt() {
        assertThat(send("/keys/fingerprint", "same", "one").body()).isEqualTo("ok");
        assertProblem(send("/keys/fingerprint", "same", "two"), 422, "another body");
        assertDuplicate(send("/keys/fingerprint", "same", "one"));
    }

    @Test
    void aSourceThatIsNotDeclaredIsNotFound() {
        assertThat(http.post("/keys/source/billing", "a").body()).isEqualTo("ok");
        assertProblem(http.post("/keys/source/nobody", "a"), 404, "No such source");
        assertProblem(http.post("/keys/source/Billing", "a"), 404, "No such source");
    }

    @Test
    void aDeliveryThatValidationRefusedWasNeverReserved() {
        assertThat(send("/valid", "v", " ").statusCode()).isEqualTo(400);
        assertThat(send("/valid", "v", "fine").body()).isEqualTo("valid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/stereotype",
                "/contract",
                "/binding",
                "/sub/own",
                "/sub/inherited",
                "/unscoped",
                "/generic",
                "/generic/1"
            })
    void aBindingAdmitsOnceWhereverItAndTheHttpMethodComeFrom(String path) {
        assertThat(http.post(path, "k").body()).isEqualTo("ok");
        assertDuplicate(http.post(path, "k"));
    }

    @Test
    void theSameKeyAtTwoLocatorsOfOneSubResourceAreTwoDeliveriesOfOneRunEach() {
        assertKeyOnce("/orders/hooks", "POST/deliveries/api/orders/hooks");
        assertKeyOnce("/billing/hooks", "POST/deliveries/api/billing/hooks");
    }

    @Test
    void theEndpointOfASubResourceHoldsTheTemplatesOfItsWholeWay() {
        assertKeyOnce("/events", "POST/deliveries/api/events");
        assertKeyOnce("/orders/hooks/events", "POST/deliveries/api/orders/hooks/events");
        assertKeyOnce("/orders/class/events", "POST/deliveries/api/orders/class/events");
        assertKeyOnce("/orders/made", "POST/deliveries/api/orders/made");
        assertKeyOnce("/orders/open", "POST/deliveries/api/orders/open");
        assertKeyOnce("/orders/plain/way;v=2/events", "POST/deliveries/api/orders/plain/%7Bway%7D/events");
        assertKeyOnce(
                "/orders/hooks/again/1/again/2",
                "POST/deliveries/api/orders/hooks/again/%7Bdepth%7D/again/%7Bdepth%7D");
    }

    private void assertKeyOnce(String path, String endpoint) {
        assertThat(http.post(path, "way").body()).isEqualTo("demo:" + endpoint + ":way");
        assertDuplicate(http.post(path, "way"));
    }

    @Test
    void aLocatorsPathParameterIsAPartOfTheKeyOrNamesTheSource() {
        for (String tenant : List.of("acme", "umbrella")) {
            assertThat(http.post("/orders/" + tenant + "/hooks", "k").body())
                    .isEqualTo("demo:POST/deliveries/api/orders/%7Btenant%7D/hooks:" + tenant + ":k");
            assertDuplicate(http.post("/orders/" + tenant + "/hooks", "k"));
        }
        assertThat(http.post("/orders/billing/hooks/of", "k").body()).isEqualTo("billing");
        assertProblem(http.post("/orders/nobody/hooks/of", "k"), 404, "No such source");
    }

    @Test
    void theRunnerAdmitsOtherWorkOnce() {
        assertThat(send("/runner/run", "", "work-1").body()).isEqualTo("ran");
        assertThat(send("/runner/run", "", "work-1").body()).isEqualTo("duplicate");
        assertThat(send("/runner/run", "", "work-2").body()).isEqualTo("ran");
    }

    @Test
    void theRunnerRefusesATransactionThatWouldCommitAfterTheRecord() {
        assertThat(send("/runner/in-transaction", "", "tx-1").body()).contains("begin the transaction inside the work");
        assertThat(send("/runner/run", "", "tx-1").body()).isEqualTo("ran");
    }

    @Test
    void aDeliveryTellsItsSourceAndKeyInsideItsRequestAndThrowsOutside() {
        assertThat(http.post("/runner/bound", "a:b").body())
                .isEqualTo("demo demo:POST/deliveries/api/runner/bound:a%3Ab false");
        assertThat(http.post("/runner/outside", "x").body()).isEqualTo("IllegalStateException");
        assertThat(http.post("/runner/direct", "x").body()).contains("ExactlyOnceRunner");
    }

    @Test
    void everyOutcomeIsACdiEvent() {
        int before = events("DeliveryRefused");
        http.post("/returns/string", "event");
        http.post("/returns/string", "event");
        http.post("/fails/exception", "event");
        send("/keys/fingerprint", "event", "one");
        send("/keys/fingerprint", "event", "two");
        http.post("/returns/string", " ");
        assertThat(http.get("/runs/events").body())
                .contains(
                        "DeliveryAdmitted",
                        "DuplicateDelivered",
                        "DeliveryRecorded",
                        "DeliveryReleased",
                        "KeyReusedWithOtherBody");
        assertThat(events("DeliveryRefused")).isEqualTo(before + 1);
    }

    private int events(String name) {
        return Integer.parseInt(http.get("/runs/events/" + name).body());
    }

    @Test
    void deliveriesInEightConcurrentCopiesHaveEachEffectOnce() {
        List<String> effects =
                IntStream.range(0, DELIVERIES).mapToObj(it -> "copy-" + it).toList();
        for (int batch = 0; batch < DELIVERIES; batch += 10) {
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (String effect : effects.subList(batch, batch + 10)) {
                for (int copy = 0; copy < 8; copy++) {
                    answers.add(Http.sendAsync(http.request("/effects/happen")
                            .header("Idempotency-Key", effect)
                            .POST(BodyPublishers.ofString(effect))
                            .build()));
                }
            }
            assertThat(answers.stream().map(CompletableFuture::join))
                    .allSatisfy(it -> assertThat(it.statusCode()).isIn(200, 409));
        }
        assertThat(Effects.SHARED.counts(effects)).allMatch(count -> count == 1);
        assertThat(effects).allSatisfy(effect -> assertDuplicate(send("/effects/happen", effect, effect)));
    }

    @Test
    void aCopyOfARunningDeliveryIsToldWhenToComeBackAlsoPastTheLease() {
        Instant leaseEnded = Instant.now().plusSeconds(3);
        CompletableFuture<HttpResponse<String>> first = Http.sendAsync(http.request("/effects/slow")
                .header("Idempotency-Key", "slow")
                .POST(BodyPublishers.ofString("slow"))
                .build());
        await().until(() -> Effects.SHARED.count("slow-begun") == 1);
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            HttpResponse<String> copy = send("/effects/slow", "slow", "slow");
            assertInFlight(copy, 409);
            return Effects.SHARED.count("slow-begun") == 1 && leaseEnded.isBefore(Instant.now());
        });
        Effects.SHARED.open("slow");
        assertThat(first.join().statusCode()).isEqualTo(200);
        assertDuplicate(send("/effects/slow", "slow", "slow"));
        assertThat(Effects.SHARED.count("slow")).isEqualTo(1);
    }

    private HttpResponse<String> send(String path, String key, String body) {
        var request = http.request(path).header("Content-Type", "text/plain");
        if (!key.isEmpty()) {
            request.header("Idempotency-Key", key);
        }
        return Http.send(request.POST(BodyPublishers.ofString(body)).build());
    }

    private HttpResponse<String> post(String path, String type, String body) {
        return Http.send(http.request(path)
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    private static void assertDuplicate(HttpResponse<String> answer) {
        assertThat(answer.body()).isEqualTo("{\"status\":\"duplicate\"}");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    }

    private static void assertInFlight(HttpResponse<String> answer, int status) {
        assertProblem(answer, status, "is being processed");
        assertThat(answer.headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(1L, 10L);
    }

    private static void assertProblem(HttpResponse<String> answer, int status, String detail) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.body())
                .contains(detail, "\"status\":" + status)
                .doesNotContain("Exception", "dev.exactlyonce", "jakarta");
    }
}
