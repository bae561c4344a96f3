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

/** The arrows between the rooms. */
@AnalyzeClasses(packages = ArchitectureTest.HOUSE, importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    static final String HOUSE = "dev.exactlyonce";

    private static final String ADMISSION = HOUSE + ".admission";
    private static final String COMMON = HOUSE + ".common";
    private static final String STORES = HOUSE + ".store..";
    private static final String SQLITE = HOUSE + ".sqlite";
    private static final String REDIS = HOUSE + ".redis";
    private static final String GUARD = HOUSE + ".guard";
    private static final String SOURCE = HOUSE + ".source";
    private static final String SIGNATURE = HOUSE + ".signature";
    private static final String SENDER = HOUSE + ".sender";
    private static final String REST = HOUSE + ".rest";
    private static final String CDI = HOUSE + ".cdi";
    private static final String DEPLOY = HOUSE + ".deploy";
    private static final String CONFIG = HOUSE + ".config";
    private static final String HEALTH = HOUSE + ".health";
    private static final String GATEWAY = HOUSE + ".gateway..";

    private static final String JAVA = "java..";
    private static final String JSPECIFY = "org.jspecify..";

    private static ArchRule room(String room, String... mayDependOn) {
        return classes()
                .that()
                .resideInAPackage(room)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(mayDependOn).or(resideInAnyPackage(COMMON)));
    }

    private static ArchRule onlyIn(String api, String... rooms) {
        return noClasses()
                .that(not(resideInAnyPackage(rooms)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(api);
    }

    @ArchTest
    static final ArchRule whatUsersSeeKnowsNoRoom =
            room(HOUSE, HOUSE, JAVA, JSPECIFY, "jakarta.interceptor..", "jakarta.enterprise.util..");

    @ArchTest
    static final ArchRule whatAllShareKnowsTheJdkAlone = room(COMMON, COMMON, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule admissionKnowsNoFramework = room(ADMISSION, ADMISSION, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theGuardKnowsTheSpiAndNoStore = room(GUARD, GUARD, ADMISSION, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule sourcesKnowAdmissionAndJson =
            room(SOURCE, SOURCE, ADMISSION, "jakarta.json..", JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule signaturesKnowAdmissionAndTheJdksCryptography = room(
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
            room(SIGNATURE + ".oidc", SIGNATURE + ".oidc", ADMISSION, "com.nimbusds..", JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theJoseLibraryStaysInItsRoom = onlyIn("com.nimbusds..", SIGNATURE + ".oidc");

    @ArchTest
    static final ArchRule theTransportKnowsTheSenderAndItsClient =
            room(SENDER + ".http", SENDER + ".http", SENDER, "org.apache.hc..", JAVA, "javax.net.ssl..", JSPECIFY);

    @ArchTest
    static final ArchRule theHttpClientStaysInTheTransport = onlyIn("org.apache.hc..", SENDER + ".http");

    @ArchTest
    static final ArchRule memoryKnowsAdmissionAlone =
            room(HOUSE + ".store.memory", HOUSE + ".store.memory", ADMISSION, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theEmbeddedDatabaseKnowsItsDriverAlone =
            room(SQLITE, SQLITE, "org.sqlite..", JAVA, "javax.sql..", JSPECIFY);

    @ArchTest
    static final ArchRule sqliteKnowsAdmissionAndTheEmbeddedDatabase =
            room(HOUSE + ".store.sqlite", HOUSE + ".store.sqlite", ADMISSION, SQLITE, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theSqlOutboxKnowsTheSenderAndTheEmbeddedDatabase =
            room(SENDER + ".sql", SENDER + ".sql", SENDER, SQLITE, JAVA, "javax.sql..", JSPECIFY);

    @ArchTest
    static final ArchRule whereRedisIsKnowsItsClientAlone =
            room(REDIS, REDIS, "org.redisson..", "io.netty..", JAVA, "javax.net.ssl..", JSPECIFY);

    @ArchTest
    static final ArchRule sharedDeadLettersKnowTheSenderAndRedis =
            room(SENDER + ".redis", SENDER + ".redis", SENDER, REDIS, "org.redisson..", JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule redisKnowsAdmissionAndItsClient = room(
            HOUSE + ".store.redis",
            HOUSE + ".store.redis",
            ADMISSION,
            REDIS,
            "org.redisson..",
            "io.netty..",
            JAVA,
            "javax.net.ssl..",
            JSPECIFY);

    @ArchTest
    static final ArchRule theHealthRoomKnowsTheGuardAndTheSenderAlone = noClasses()
            .that()
            .resideInAPackage(HEALTH)
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage(HOUSE + "..").and(not(resideInAnyPackage(HEALTH, GUARD, SENDER, COMMON))));

    @ArchTest
    static final ArchRule theSenderKnowsNothingOfTheReceivingSideAndNoFramework =
            room(SENDER, SENDER, JAVA, "javax.crypto..", JSPECIFY);

    @ArchTest
    static final ArchRule circuitsKnowTheSenderAndFailsafe =
            room(SENDER + ".breaker", SENDER + ".breaker", SENDER, "dev.failsafe..", JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule failsafeStaysInItsRoom = onlyIn("dev.failsafe..", SENDER + ".breaker");

    @ArchTest
    static final ArchRule theRestRoomKnowsAdmissionAndSourcesAlone = noClasses()
            .that()
            .resideInAPackage(REST)
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage(HOUSE + "..").and(not(resideInAnyPackage(REST, ADMISSION, SOURCE, COMMON))));

    @ArchTest
    static final ArchRule storesNeverSeeEachOther =
            slices().matching(HOUSE + ".store.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule storesSeeNothingOfTheHouseButAdmissionAndTheirDatabase = noClasses()
            .that()
            .resideInAPackage(STORES)
            .should()
            .dependOnClassesThat(resideInAnyPackage(HOUSE + "..")
                    .and(not(resideInAnyPackage(STORES, ADMISSION, SQLITE, REDIS, COMMON))));

    @ArchTest
    static final ArchRule jaxRsStaysInItsRooms = onlyIn("jakarta.ws.rs..", REST, DEPLOY, GATEWAY);

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
    static final ArchRule redissonStaysInItsRooms =
            onlyIn("org.redisson..", REDIS, HOUSE + ".store.redis", SENDER + ".redis");

    @ArchTest
    static final ArchRule whatRedissonTalksThroughStaysInItsStore = onlyIn("io.netty..", REDIS, HOUSE + ".store.redis");

    @ArchTest
    static final ArchRule whatIsAskedBeforeRedissonIsKnownToBeThereKnowsNothingOfIt = noClasses()
            .that()
            .haveNameMatching("dev.exactlyonce.redis.RedisSettings.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.redisson..");

    @ArchTest
    static final ArchRule theSqliteDriverStaysInItsRoom = onlyIn("org.sqlite..", SQLITE);

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
    static final ArchRule noRoomsAreInACycle =
            slices().matching(HOUSE + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule everyRoomIsNullMarked = classes()
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
