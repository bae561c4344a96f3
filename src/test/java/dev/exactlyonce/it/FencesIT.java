package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.exactlyonce.it.Faulty.App;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nothing that asks for admission runs without it: each fault either stops its deployment or never reaches a handler. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class FencesIT {
    private static final Path LOG = Path.of(System.getProperty("liberty.home"), "usr/servers/nodeA/logs/messages.log");

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "on-get", managed = false, testable = false)
    static WebArchive onGet() {
        return Wars.of("on-get", App.class, Faulty.OnGet.class);
    }

    @Test
    void aBindingOnAGetMethodStopsTheDeployment() throws IOException {
        assertStops("on-get", "Faulty$OnGet.read answers GET, which carries no delivery");
    }

    @Deployment(name = "on-interface", managed = false, testable = false)
    static WebArchive onInterface() {
        return Wars.of("on-interface", App.class, Faulty.OnInterface.class, Faulty.Api.class);
    }

    @Test
    void aBindingOnAnInterfaceStopsTheDeployment() throws IOException {
        assertStops("on-interface", "Faulty$Api is an interface, whose bindings CDI ignores");
    }

    @Deployment(name = "on-overridden", managed = false, testable = false)
    static WebArchive onOverridden() {
        return Wars.of("on-overridden", App.class, Faulty.OnOverridden.class, Faulty.Base.class);
    }

    @Test
    void aBindingOnAnOverriddenMethodStopsTheDeployment() throws IOException {
        assertStops("on-overridden", "Faulty$Base.receive is overridden by OnOverridden");
    }

    @Deployment(name = "no-resource", managed = false, testable = false)
    static WebArchive noResource() {
        return Wars.of("no-resource", App.class, Faulty.NoResource.class);
    }

    @Test
    void aBindingOnABeanThatIsNoResourceStopsTheDeploymentAndNamesTheRunner() throws IOException {
        assertStops("no-resource", "Faulty$NoResource is no JAX-RS resource; for other work inject ExactlyOnceRunner");
    }

    @Deployment(name = "session-bean", managed = false, testable = false)
    static WebArchive sessionBean() {
        return Wars.of("session-bean", App.class, FaultySessionBean.class);
    }

    @Test
    void aSessionBeanWithContainerTransactionsStopsTheDeployment() throws IOException {
        assertStops("session-bean", "FaultySessionBean is a session bean with container transactions");
    }

    @Deployment(name = "rest-client", managed = false, testable = false)
    static WebArchive restClient() {
        return Wars.of("rest-client", App.class, Faulty.RestClient.class);
    }

    @Test
    void aBindingOnARestClientStopsTheDeployment() throws IOException {
        assertStops("rest-client", "Faulty$RestClient is a REST client, which sends and receives nothing");
    }

    @Deployment(name = "form-param", managed = false, testable = false)
    static WebArchive formParam() {
        return Wars.of("form-param", App.class, Faulty.TakesFormParam.class);
    }

    @Test
    void aFormParamStopsTheDeploymentAndTheMessageNamesTheWayOut() throws IOException {
        assertStops("form-param", "take the form as the entity, a MultivaluedMap<String, String>");
    }

    @Deployment(name = "suspended", managed = false, testable = false)
    static WebArchive suspended() {
        return Wars.of("suspended", App.class, Faulty.SuspendedResponse.class);
    }

    @Test
    void aSuspendedResponseStopsTheDeployment() throws IOException {
        assertStops("suspended", "its work would be recorded before it ends; return a CompletionStage instead");
    }

    @Deployment(name = "asynchronous", managed = false, testable = false)
    static WebArchive asynchronous() {
        return Wars.of("asynchronous", App.class, Faulty.AsynchronousVoid.class);
    }

    @Test
    void anAsynchronousMethodWithoutAStageStopsTheDeployment() throws IOException {
        assertStops("asynchronous", "its work would be recorded before it ends; return a CompletionStage instead");
    }

    @Deployment(name = "own-transactions", managed = false, testable = false)
    static WebArchive ownTransactions() {
        return Wars.of("own-transactions", App.class, SessionBeanWithOwnTransactions.class);
    }

    @Test
    void aSessionBeanThatManagesItsOwnTransactionsAdmitsOnce() {
        deployer.deploy("own-transactions");
        try {
            Http http = new Http(Node.a("/own-transactions"));
            assertThat(http.post("/own", "key-1").body()).isEqualTo("ran");
            assertThat(http.post("/own", "key-1").body()).isEqualTo("{\"status\":\"duplicate\"}");
        } finally {
            deployer.undeploy("own-transactions");
        }
    }

    @Deployment(name = "key-of-no-path", managed = false, testable = false)
    static WebArchive keyOfNoPath() {
        return Wars.of("key-of-no-path", App.class, Faulty.KeyOfNoPath.class);
    }

    @Test
    void aKeyOfAPathParameterThatIsNotThereStopsTheDeployment() throws IOException {
        assertStops("key-of-no-path", "has a key of path:id, which its @Path does not have");
    }

    @Deployment(name = "bad-source", managed = false, testable = false)
    static WebArchive badSource() {
        return Wars.of("bad-source", App.class, Faulty.BadSourceName.class);
    }

    @Test
    void aSourceNameThatIsNotAllowedStopsTheDeployment() throws IOException {
        assertStops("bad-source", "names the source 'GitHub'; allowed: [a-z][a-z0-9-]{0,62}");
    }

    @Deployment(name = "bad-config", managed = false, testable = false)
    static WebArchive badConfig() {
        return Wars.configured(
                Wars.of("bad-config", App.class, Faulty.Bound.class),
                "exactlyonce.lease=15 minutes",
                "exactlyonce.source.demo.secret=hunter2${x}",
                "exactlyonce.colour=blue",
                "EXACTLYONCE_SUORCES=typo",
                "exactlyonce.on-outage=reject",
                "exactlyonce.On_Outage=admit",
                "exactlyonce.store=redis",
                "exactlyonce.sources=pasted,empty,pubsub",
                "exactlyonce.source.pasted.preset=standard-webhooks",
                "exactlyonce.source.pasted.secret=v1,whsec_hunter2",
                "exactlyonce.source.pasted.SECRET=whsec_hunter2",
                "exactlyonce.source.empty.preset=github",
                "exactlyonce.source.empty.secret=",
                "exactlyonce.source.pubsub.preset=google-pubsub",
                "exactlyonce.source.pubsub.audience=us",
                "exactlyonce.source.pubsub.email=them@example.com");
    }

    @Test
    void faultsOfTheConfigurationStopTheDeploymentTogetherAndShowNoSecret() throws IOException {
        String log = assertStops("bad-config", "exactlyonce.lease: '15 minutes' is not allowed");
        assertThat(log)
                .contains("exactlyonce.colour: unknown setting", "EXACTLYONCE_SUORCES: unknown setting")
                .contains("exactlyonce.on-outage: is set twice, with different values: as exactlyonce.on-outage and as"
                        + " exactlyonce.On_Outage; remove one of them")
                .contains("exactlyonce.source.pasted.secret: is set twice, with different values")
                .contains("exactlyonce.store: 'redis' needs Redisson", "org.redisson:redisson:4.7.0")
                .contains("exactlyonce.source.demo.secret: ")
                .contains("exactlyonce.source.pasted.secret: the version before the comma is no part of the secret")
                .contains("exactlyonce.source.empty.secret: ")
                .contains("exactlyonce.source.pubsub.preset: 'google-pubsub' needs a JOSE library", "nimbus-jose-jwt")
                .doesNotContain("hunter2");
    }

    @Deployment(name = "no-bean", managed = false, testable = false)
    static WebArchive noBean() {
        return Wars.of("no-bean", App.class, Faulty.NoBean.class);
    }

    @Test
    void aResourceThatIsNoBeanIsRefusedAndReadinessIsDown() {
        assertRefused("no-bean");
    }

    @Deployment(name = "no-archive", managed = false, testable = false)
    static WebArchive noArchive() {
        return Wars.withoutBeans("no-archive", App.class, Faulty.Bound.class);
    }

    @Test
    void aResourceInAnArchiveThatCdiDoesNotReadIsRefusedAndReadinessIsDown() {
        assertRefused("no-archive");
    }

    private void assertRefused(String deployment) {
        deployer.deploy(deployment);
        try {
            assertNeverRuns("/" + deployment + "/fault");
            HttpResponse<String> ready = new Http(Node.a("")).get("/health/ready");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body())
                    .contains("\"reason\":\"deployment refused\"", "\"application\":\"" + deployment + "\"");
        } finally {
            deployer.undeploy(deployment);
        }
    }

    @Deployment(name = "singletons", managed = false, testable = false)
    static WebArchive singletons() {
        return Wars.of("singletons", Faulty.Singletons.class, Faulty.Bound.class);
    }

    @Test
    void aResourceThatTheApplicationMadeItselfNeverRuns() {
        assertNeverRunsIn("singletons", "/singletons/fault");
    }

    @Deployment(name = "locator", managed = false, testable = false)
    static WebArchive locator() {
        return Wars.of("locator", App.class, Faulty.Bound.class, Faulty.Locator.class);
    }

    @Test
    void aSubResourceThatItsLocatorMadeItselfNeverRuns() {
        assertNeverRunsIn("locator", "/locator/locate/sub");
    }

    @Deployment(name = "singletons-behind", managed = false, testable = false)
    static WebArchive singletonsBehindAnInterface() {
        return Wars.of(
                "singletons-behind",
                Faulty.SingletonsBehindAnInterface.class,
                Faulty.BehindAnInterface.class,
                Faulty.Shape.class);
    }

    @Test
    void aResourceThatJaxRsKnowsByItsInterfaceAloneNeverRuns() {
        assertNeverRunsIn("singletons-behind", "/singletons-behind/fault");
    }

    @Deployment(name = "produced", managed = false, testable = false)
    static WebArchive produced() {
        return Wars.of(
                "produced",
                App.class,
                Faulty.Bound.class,
                Faulty.ByHand.class,
                Faulty.Producer.class,
                Faulty.ProducedLocator.class);
    }

    @Test
    void aSubResourceThatAProducerMadeItselfNeverRuns() {
        assertNeverRunsIn("produced", "/produced/locate/sub");
    }

    @Deployment(name = "two-methods", managed = false, testable = false)
    static WebArchive twoHttpMethods() {
        return Wars.of("two-methods", App.class, Faulty.TwoHttpMethods.class);
    }

    @Test
    void aMethodOfTwoHttpMethodsStopsTheDeployment() throws IOException {
        assertStops("two-methods", "Faulty$TwoHttpMethods.receive");
    }

    @Deployment(name = "without-services", managed = false, testable = false)
    static WebArchive withoutServices() {
        return Wars.of("without-services", Faulty.WithoutServices.class, Faulty.Bound.class);
    }

    @Test
    void withoutTheFilterTheInterceptorLetsNothingRun() {
        assertNeverRunsIn("without-services", "/without-services/fault");
    }

    private void assertNeverRunsIn(String deployment, String path) {
        deployer.deploy(deployment);
        try {
            assertNeverRuns(path);
        } finally {
            deployer.undeploy(deployment);
        }
    }

    private static void assertNeverRuns(String path) {
        HttpResponse<String> answer = new Http(Node.a("")).post(path, "key-1");
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("could not be processed").doesNotContain("ran", "dev.exactlyonce");
    }

    private String assertStops(String deployment, String reason) throws IOException {
        int before = Files.readString(LOG).length();
        assertThat(catchThrowable(() -> deployer.deploy(deployment))).isNotNull();
        String log = Files.readString(LOG).substring(before);
        deployer.undeploy(deployment);
        assertThat(log)
                .containsPattern("CWWKZ0002E: .* application " + deployment + "\\.")
                .contains(reason);
        return log;
    }
}
