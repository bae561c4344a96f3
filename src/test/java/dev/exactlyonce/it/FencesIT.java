package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.exactlyonce.it.Faulty.App;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
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

    @Deployment(name = "many-faults", managed = false, testable = false)
    static WebArchive manyFaults() {
        return Wars.of(
                "many-faults",
                App.class,
                Faulty.OnGet.class,
                Faulty.OnInterface.class,
                Faulty.Api.class,
                Faulty.OnOverridden.class,
                Faulty.Base.class,
                Faulty.NoResource.class,
                FaultySessionBean.class,
                Faulty.RestClient.class,
                Faulty.KeyOfNoPath.class,
                Faulty.BadSourceName.class,
                Faulty.TwoHttpMethods.class,
                Faulty.Bound.class,
                Faulty.TakesFormParam.class,
                Faulty.SuspendedResponse.class,
                Faulty.AsynchronousVoid.class,
                Faulty.Contract.class,
                Faulty.ParametersOnInterface.class,
                Faulty.Ours.class,
                Faulty.Qualified.class,
                Faulty.Webhook.class,
                Faulty.ByOwnAnnotation.class,
                Faulty.NotInherited.class,
                Faulty.CarriesForItself.class,
                Faulty.BelowNotInherited.class,
                Faulty.Shape.class,
                Faulty.PathOnInterface.class,
                Faulty.Unbound.class,
                Faulty.LeadsToUnbound.class,
                Faulty.LeadsWithFormParam.class,
                Faulty.SerialisedUnbound.class,
                Faulty.SessionOfNoPath.class);
    }

    /** One deployment, since it lists them all. */
    @Test
    void whatWouldRunUnadmittedOrNeverStopsTheDeploymentAndEachMessageNamesTheWayOut() throws IOException {
        String form = "take the form as the entity, a MultivaluedMap<String, String>";
        String asynchronous = "its work would be recorded before it ends; return a CompletionStage instead";
        String log = assertStops("many-faults", "Faulty$TakesFormParam.receive takes a @FormParam");
        assertFault(log, "Faulty$OnGet.read", "answers GET, which carries no delivery");
        assertFault(log, "Faulty$Api", "is an interface, whose bindings CDI ignores");
        assertFault(log, "Faulty$Base.receive", "is overridden by OnOverridden");
        assertFault(log, "Faulty$NoResource", "is not a JAX-RS resource; for other work inject ExactlyOnceRunner");
        assertFault(log, "FaultySessionBean", "is a session bean with container transactions");
        assertFault(log, "Faulty$RestClient", "is a REST client, which sends and receives nothing");
        assertFault(log, "Faulty$KeyOfNoPath", "has a key of path:id, which its @Path does not have");
        assertFault(log, "Faulty$BadSourceName", "names the source 'GitHub'; allowed: [a-z][a-z0-9-]{0,62}");
        assertFault(log, "Faulty$TwoHttpMethods.receive", "");
        assertFault(log, "Faulty$TakesFormParam.receive", form);
        assertFault(log, "Faulty$SuspendedResponse.receive", asynchronous);
        assertFault(log, "Faulty$AsynchronousVoid.receive", asynchronous);
        assertFault(log, "Faulty$ParametersOnInterface.form", form);
        assertFault(log, "Faulty$ParametersOnInterface.suspended", asynchronous);
        assertFault(log, "Faulty$Qualified", "has the qualifier @Ours", "add @Default to the class");
        assertFault(log, "Faulty$ByOwnAnnotation.receive", "@Webhook, which CDI does not take", "a stereotype");
        assertFault(log, "Faulty$BelowNotInherited.receive", "@NotInherited, which CDI does not take", "@Inherited");
        assertFault(log, "Faulty$PathOnInterface", "has its @Path on Shape", "put @Path on the class itself");
        assertFault(log, "Faulty$LeadsToUnbound.unbound", "Faulty$Unbound.receive, which is not", "put @ExactlyOnce");
        assertFault(log, "Faulty$SerialisedUnbound.receive", "has @OneAtATime", "inject TurnLock");
        assertFault(log, "Faulty$SessionOfNoPath.receive", "has a session of path:id, which its @Path does not have");
        assertFault(log, "Faulty$LeadsWithFormParam.sub", "the body is read before the key is looked for");
    }

    private static void assertFault(String log, String place, String... texts) {
        assertThat(log.lines().filter(it -> it.contains("EXON0002") && it.contains(place)))
                .isNotEmpty()
                .allSatisfy(it -> assertThat(it).contains(texts));
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
                .contains("exactlyonce.source.pasted.secret: the version before the comma is not part of the secret")
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
        assertNeverRunsIn("no-bean", "/no-bean/fault");
    }

    @Deployment(name = "no-archive", managed = false, testable = false)
    static WebArchive noArchive() {
        return Wars.withoutBeans("no-archive", App.class, Faulty.Bound.class);
    }

    @Test
    void aResourceInAnArchiveThatCdiDoesNotReadIsRefusedAndReadinessIsDown() {
        assertNeverRunsIn("no-archive", "/no-archive/fault");
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

    @Deployment(name = "without-services", managed = false, testable = false)
    static WebArchive withoutServices() {
        return Wars.of("without-services", Faulty.WithoutServices.class, Faulty.Bound.class);
    }

    @Test
    void withoutTheFilterTheInterceptorLetsNothingRun() {
        assertNeverRunsIn("without-services", "/without-services/fault");
    }

    @Deployment(name = "all-beans", managed = false, testable = false)
    static WebArchive allBeans() {
        return Wars.ofBeans(
                "all-beans", App.class, Faulty.Bound.class, Faulty.BoundWithoutScope.class, Faulty.LocatesByHand.class);
    }

    @Test
    void aSubResourceThatIsABeanOnlySinceAllClassesAreNeverRunsWhenItsLocatorMadeItself() {
        assertNeverRunsIn("all-beans", "/all-beans/locate/sub");
    }

    @Deployment(name = "open-locator", managed = false, testable = false)
    static WebArchive openLocator() {
        return Wars.of("open-locator", App.class, Faulty.Bound.class, Faulty.Unbound.class, Faulty.OpenLocator.class);
    }

    @Test
    void whatAnOpenLocatorOfABoundClassLeadsToRunsOnlyWhenItIsBoundAndHasItsBody() throws IOException {
        int before = Files.readString(LOG).length();
        deployer.deploy("open-locator");
        try {
            Http http = new Http(Node.a("/open-locator"));
            assertThat(http.post("/open/bound", "key-1").body()).isEqualTo("ran");
            assertThat(http.post("/open/bound", "key-1").body()).isEqualTo("{\"status\":\"duplicate\"}");
            HttpResponse<String> form = Http.send(http.request("/open/form")
                    .header("Idempotency-Key", "key-1")
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString("tenant=acme"))
                    .build());
            assertThat(form.statusCode()).isEqualTo(500);
            assertThat(form.body()).contains("could not be processed");
            assertNeverRuns("/open-locator/open/unbound");
            assertDown("open-locator");
        } finally {
            deployer.undeploy("open-locator");
        }
        assertThat(Files.readString(LOG).substring(before))
                .contains("EXON0007 dev.exactlyonce.it.Faulty$OpenLocator.unbound leads from")
                .contains("EXON0420 POST /fault: the body was read before its key could be looked for")
                .contains("EXON0008 dev.exactlyonce.it.Faulty$Unbound.receive is not bound, and"
                        + " dev.exactlyonce.it.Faulty$OpenLocator has led to it");
    }

    private void assertNeverRunsIn(String deployment, String path) {
        deployer.deploy(deployment);
        try {
            assertNeverRuns(path);
            assertDown(deployment);
        } finally {
            deployer.undeploy(deployment);
        }
    }

    private static void assertDown(String deployment) {
        HttpResponse<String> ready = new Http(Node.a("")).get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body())
                .contains("\"reason\":\"deployment refused\"", "\"application\":\"" + deployment + "\"");
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
