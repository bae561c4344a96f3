package dev.exactlyonce;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.PrintStream;
import java.text.Format;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.NullMarked;

/** Which package may depend on which. */
@AnalyzeClasses(packages = ArchitectureTest.ROOT, importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    static final String ROOT = "dev.exactlyonce";

    private static final String ADMISSION = ROOT + ".admission";
    private static final String SPI = ROOT + ".spi";
    private static final String COMMON = ROOT + ".common";
    private static final String STORES = ROOT + ".store..";
    private static final String SQLITE = ROOT + ".sqlite";
    private static final String REDIS = ROOT + ".redis";
    private static final String GUARD = ROOT + ".guard";
    private static final String SOURCE = ROOT + ".source";
    private static final String SIGNATURE = ROOT + ".signature";
    private static final String SENDER = ROOT + ".sender";
    private static final String REST = ROOT + ".rest";
    private static final String CDI = ROOT + ".cdi";
    private static final String DEPLOY = ROOT + ".deploy";
    private static final String CONFIG = ROOT + ".config";
    private static final String HEALTH = ROOT + ".health";
    private static final String GATEWAY = ROOT + ".gateway..";

    private static final String JAVA = "java..";
    private static final String JSPECIFY = "org.jspecify..";

    private static ArchRule dependenciesOf(String aPackage, String... mayDependOn) {
        return classes()
                .that()
                .resideInAPackage(aPackage)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(mayDependOn).or(resideInAnyPackage(COMMON)));
    }

    private static ArchRule onlyIn(String api, String... packages) {
        return noClasses()
                .that(not(resideInAnyPackage(packages)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(api);
    }

    @ArchTest
    static final ArchRule theApiDependsOnNoOtherPackage =
            dependenciesOf(ROOT, ROOT, JAVA, JSPECIFY, "jakarta.interceptor..", "jakarta.enterprise.util..");

    @ArchTest
    static final ArchRule whatAllShareKnowsTheJdkAlone = dependenciesOf(COMMON, COMMON, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theSpiKnowsTheJdkAlone = dependenciesOf(SPI, SPI, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule admissionKnowsNoFramework = dependenciesOf(ADMISSION, ADMISSION, SPI, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theGuardKnowsTheSpiAndNoStore = dependenciesOf(GUARD, GUARD, ADMISSION, SPI, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule sourcesKnowAdmissionAndJson =
            dependenciesOf(SOURCE, SOURCE, ADMISSION, SPI, "jakarta.json..", JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule signaturesKnowAdmissionAndTheJdksCryptography = dependenciesOf(
            SIGNATURE,
            SIGNATURE,
            ADMISSION,
            JAVA,
            "javax.crypto..",
            "javax.net.ssl..",
            "javax.naming..", // reads the names of certificates
            "javax.security.auth.x500..",
            JSPECIFY);

    @ArchTest
    static final ArchRule tokensKnowAdmissionAndTheirLibrary =
            dependenciesOf(SIGNATURE + ".oidc", SIGNATURE + ".oidc", ADMISSION, "com.nimbusds..", JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theJoseLibraryStaysInItsPackage = onlyIn("com.nimbusds..", SIGNATURE + ".oidc");

    @ArchTest
    static final ArchRule theTransportKnowsTheSenderAndItsClient = dependenciesOf(
            SENDER + ".http", SENDER + ".http", SENDER, "org.apache.hc..", JAVA, "javax.net.ssl..", JSPECIFY);

    @ArchTest
    static final ArchRule theHttpClientStaysInTheTransport = onlyIn("org.apache.hc..", SENDER + ".http");

    @ArchTest
    static final ArchRule memoryKnowsTheSpiAlone =
            dependenciesOf(ROOT + ".store.memory", ROOT + ".store.memory", ADMISSION, SPI, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theEmbeddedDatabaseKnowsItsDriverAlone =
            dependenciesOf(SQLITE, SQLITE, "org.sqlite..", JAVA, "javax.sql..", JSPECIFY);

    @ArchTest
    static final ArchRule sqliteKnowsTheSpiAndTheEmbeddedDatabase =
            dependenciesOf(ROOT + ".store.sqlite", ROOT + ".store.sqlite", SPI, SQLITE, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theSqlOutboxKnowsTheSenderAndTheEmbeddedDatabase =
            dependenciesOf(SENDER + ".sql", SENDER + ".sql", SENDER, SQLITE, JAVA, "javax.sql..", JSPECIFY);

    @ArchTest
    static final ArchRule whereRedisIsKnowsItsClientAlone =
            dependenciesOf(REDIS, REDIS, "org.redisson..", "io.netty..", JAVA, "javax.net.ssl..", JSPECIFY);

    @ArchTest
    static final ArchRule sharedDeadLettersKnowTheSenderAndRedis =
            dependenciesOf(SENDER + ".redis", SENDER + ".redis", SENDER, REDIS, "org.redisson..", JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule redisKnowsTheSpiAndItsClient = dependenciesOf(
            ROOT + ".store.redis",
            ROOT + ".store.redis",
            SPI,
            REDIS,
            "org.redisson..",
            "io.netty..",
            JAVA,
            "javax.net.ssl..",
            JSPECIFY);

    @ArchTest
    static final ArchRule healthKnowsTheGuardAndTheSenderAlone = noClasses()
            .that()
            .resideInAPackage(HEALTH)
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage(ROOT + "..").and(not(resideInAnyPackage(HEALTH, GUARD, SENDER, COMMON))));

    @ArchTest
    static final ArchRule theSenderKnowsNothingOfTheReceivingSideAndNoFramework =
            dependenciesOf(SENDER, SENDER, JAVA, "javax.crypto..", JSPECIFY);

    @ArchTest
    static final ArchRule circuitsKnowTheSenderAndFailsafe =
            dependenciesOf(SENDER + ".breaker", SENDER + ".breaker", SENDER, "dev.failsafe..", JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule failsafeStaysInItsPackage = onlyIn("dev.failsafe..", SENDER + ".breaker");

    @ArchTest
    static final ArchRule restKnowsAdmissionAndSourcesAlone = noClasses()
            .that()
            .resideInAPackage(REST)
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage(ROOT + "..").and(not(resideInAnyPackage(REST, ADMISSION, SPI, SOURCE, COMMON))));

    @ArchTest
    static final ArchRule storesNeverSeeEachOther =
            slices().matching(ROOT + ".store.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule storesSeeTheSpiAndTheirDatabaseAlone = noClasses()
            .that()
            .resideInAPackage(STORES)
            .should()
            .dependOnClassesThat(resideInAnyPackage(ROOT + "..")
                    .and(not(resideInAnyPackage(STORES, SPI, ADMISSION, SQLITE, REDIS, COMMON))));

    @ArchTest
    static final ArchRule jaxRsStaysInItsPackages = onlyIn("jakarta.ws.rs..", REST, DEPLOY, GATEWAY);

    @ArchTest
    static final ArchRule mpConfigStaysInConfig = onlyIn("org.eclipse.microprofile.config..", CONFIG);

    @ArchTest
    static final ArchRule everySettingIsReadInAllNotationsOfItsName = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(CONFIG + ".ConfigNames")
            .should()
            .callMethodWhere(target(owner(equivalentTo(Config.class))));

    @ArchTest
    static final ArchRule nothingDependsOnTheServersLocale = noClasses()
            .should()
            .callMethod(String.class, "toLowerCase")
            .orShould()
            .callMethod(String.class, "toUpperCase")
            .orShould()
            .callMethod(String.class, "format", String.class, Object[].class)
            .orShould()
            .callMethod(String.class, "formatted", Object[].class)
            .orShould()
            .callMethod(PrintStream.class, "format", String.class, Object[].class)
            .orShould()
            .callMethod(PrintStream.class, "printf", String.class, Object[].class)
            .orShould()
            .callMethod(DateTimeFormatter.class, "ofPattern", String.class)
            .orShould()
            .callMethod(Locale.class, "getDefault")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Format.class);

    @ArchTest
    static final ArchRule mpHealthStaysInHealthAndTheGateway =
            onlyIn("org.eclipse.microprofile.health..", HEALTH, GATEWAY);

    @ArchTest
    static final ArchRule redissonStaysInItsPackages =
            onlyIn("org.redisson..", REDIS, ROOT + ".store.redis", SENDER + ".redis");

    @ArchTest
    static final ArchRule whatRedissonTalksThroughStaysInItsStore = onlyIn("io.netty..", REDIS, ROOT + ".store.redis");

    @ArchTest
    static final ArchRule whatIsAskedBeforeRedissonIsKnownToBeThereKnowsNothingOfIt = noClasses()
            .that()
            .haveNameMatching(
                    "dev.exactlyonce.(redis.RedisSettings|store.redis.RedisStoreSettings|store.redis.RedisUrl).*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.redisson..");

    @ArchTest
    static final ArchRule theSqliteDriverStaysInItsPackage = onlyIn("org.sqlite..", SQLITE);

    @ArchTest
    static final ArchRule jsonpStaysWhereBodiesAreReadAndAnswersAreWritten =
            onlyIn("jakarta.json..", SOURCE, REST, GATEWAY);

    @ArchTest
    static final ArchRule nobodySeesCdi = noClasses()
            .that()
            .resideOutsideOfPackage(CDI)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CDI);

    @ArchTest
    static final ArchRule configIsSeenByCdiAndDeployAlone = onlyIn(CONFIG, CONFIG, CDI, DEPLOY);

    @ArchTest
    static final ArchRule theLibraryDoesNotKnowTheGateway = onlyIn(GATEWAY, GATEWAY);

    @ArchTest
    static final ArchRule nobodyNeedsServlets =
            noClasses().should().dependOnClassesThat().resideInAPackage("jakarta.servlet..");

    @ArchTest
    static final ArchRule nobodyNeedsJsonBinding =
            noClasses().should().dependOnClassesThat().resideInAPackage("jakarta.json.bind..");

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles =
            slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes()
            .that(alwaysTrue())
            .should(new ArchCondition<>("be null-marked") {
                @Override
                public void check(JavaClass it, ConditionEvents events) {
                    if (!it.getPackage().isAnnotatedWith(NullMarked.class)) {
                        events.add(SimpleConditionEvent.violated(it, it.getPackageName() + " is not @NullMarked"));
                    }
                }
            });

    @ArchTest
    static final ArchRule whatIsNotPublicIsFinalUnlessItIsAnInterface = classes()
            .that()
            .areTopLevelClasses()
            .and()
            .areNotPublic()
            .and()
            .areNotInterfaces()
            .should()
            .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL);
}
