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

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
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
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.NullMarked;

/** Which package may depend on which. */
@AnalyzeClasses(packages = ArchitectureTest.ROOT, importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    static final String ROOT = "dev.exactlyonce";

    private static final String ADMISSION = ROOT + ".admission";
    private static final String EVENT = ROOT + ".event";
    private static final String SPI = ROOT + ".spi";
    private static final String COMMON = ROOT + ".common";
    private static final String STORES = ROOT + ".store..";
    private static final String SQLITE = ROOT + ".sqlite";
    private static final String SQL = ROOT + ".sql";
    private static final String REDIS = ROOT + ".redis";
    private static final String REDIS_CLIENT = REDIS + ".client";
    private static final String GUARD = ROOT + ".guard";
    private static final String TURN = ROOT + ".turn";
    private static final String SOURCE = ROOT + ".source";
    private static final String SIGNATURE = ROOT + ".signature";
    private static final String SENDER = ROOT + ".sender";
    private static final String SENDER_SPI = SENDER + ".spi";
    private static final String DISPATCH = SENDER + ".dispatch";
    private static final String WIRE = SENDER + ".wire";
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

    /** What a package's public types show to their users: public and protected members, supertypes, components. */
    private static ArchRule mentioning(String aPackage, String... types) {
        DescribedPredicate<JavaClass> allowed = resideInAnyPackage(types).or(equivalentTo(void.class));
        return classes()
                .that()
                .resideInAPackage(aPackage)
                .and()
                .arePublic()
                .should(new ArchCondition<>("mention only types of " + List.of(types)) {
                    @Override
                    public void check(JavaClass it, ConditionEvents events) {
                        mentioned(it)
                                .filter(type -> !type.getBaseComponentType().isPrimitive())
                                .filter(type -> !allowed.test(type.getBaseComponentType()))
                                .forEach(type -> events.add(SimpleConditionEvent.violated(
                                        it, it.getName() + " mentions " + type.getName())));
                    }
                });
    }

    private static Stream<JavaClass> mentioned(JavaClass type) {
        Stream<JavaType> ofType = Stream.concat(type.getInterfaces().stream(), type.getSuperclass().stream());
        Stream<JavaType> ofFields =
                type.getFields().stream().filter(ArchitectureTest::isShown).map(JavaField::getType);
        Stream<JavaType> ofMethods = type.getCodeUnits().stream()
                .filter(ArchitectureTest::isShown)
                .flatMap(it -> Stream.concat(Stream.of(it.getReturnType()), it.getParameterTypes().stream()));
        Stream<JavaClass> thrown = type.getCodeUnits().stream()
                .filter(ArchitectureTest::isShown)
                .flatMap(it -> it.getThrowsClause().getTypes().stream());
        return Stream.concat(
                Stream.of(ofType, ofFields, ofMethods)
                        .flatMap(it -> it)
                        .flatMap(it -> it.getAllInvolvedRawTypes().stream()),
                thrown);
    }

    private static boolean isShown(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                || member.getModifiers().contains(JavaModifier.PROTECTED);
    }

    @ArchTest
    static final ArchRule theApiDependsOnNoOtherPackage =
            dependenciesOf(ROOT, ROOT, JAVA, JSPECIFY, "jakarta.interceptor..", "jakarta.enterprise.util..");

    @ArchTest
    static final ArchRule eventsHoldApiAndJdkTypesAlone = dependenciesOf(EVENT, ROOT, EVENT, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule whatAllShareKnowsTheJdkAlone = dependenciesOf(COMMON, COMMON, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theSpiKnowsTheJdkAlone = dependenciesOf(SPI, SPI, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule admissionKnowsNoFramework =
            dependenciesOf(ADMISSION, ROOT, ADMISSION, EVENT, SPI, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theGuardKnowsTheSpiAndNoStore =
            dependenciesOf(GUARD, GUARD, ADMISSION, EVENT, SPI, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theTurnLockKnowsTheApiAndNoBackend =
            dependenciesOf(TURN, TURN, ROOT, EVENT, SPI, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule turnsInRedisKnowTheTurnLockAndTheirClient = dependenciesOf(
            TURN + ".redis", TURN + ".redis", TURN, SPI, REDIS, REDIS_CLIENT, "org.redisson..", JAVA, JSPECIFY);

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
            SENDER + ".http",
            SENDER + ".http",
            SENDER_SPI,
            SENDER,
            "org.apache.hc..",
            JAVA,
            "javax.net.ssl..",
            JSPECIFY);

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
    static final ArchRule theSqlOutboxKnowsTheSenderAndTheEmbeddedDatabase = dependenciesOf(
            SENDER + ".sql", SENDER + ".sql", SENDER_SPI, SENDER, SQLITE, SQL, JAVA, "javax.sql..", JSPECIFY);

    @ArchTest
    static final ArchRule whatDatabasesShareKnowsTheJdkAlone = dependenciesOf(SQL, SQL, JAVA, "javax.sql..", JSPECIFY);

    @ArchTest
    static final ArchRule theJdbcStoreKnowsTheSpiAndSql = dependenciesOf(
            ROOT + ".store.jdbc",
            ROOT + ".store.jdbc",
            SPI,
            ADMISSION,
            SQL,
            JAVA,
            "javax.sql..",
            "javax.naming..",
            JSPECIFY);

    @ArchTest
    static final ArchRule whereRedisIsKnowsItsClientAlone =
            dependenciesOf(REDIS, REDIS, "org.redisson..", "io.netty..", JAVA, "javax.net.ssl..", JSPECIFY);

    @ArchTest
    static final ArchRule thePipelinedClientKnowsTheSpiAndItsClient =
            dependenciesOf(REDIS_CLIENT, REDIS_CLIENT, REDIS, SPI, "org.redisson..", "io.netty..", JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule sharedDeadLettersKnowTheSenderAndRedis = dependenciesOf(
            SENDER + ".redis", SENDER + ".redis", SENDER_SPI, SENDER, REDIS, "org.redisson..", JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theRedisStoreKnowsTheSpiAndItsClient = dependenciesOf(
            ROOT + ".store.redis", ROOT + ".store.redis", SPI, REDIS, REDIS_CLIENT, "org.redisson..", JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule healthKnowsTheGuardTheTurnLockAndTheSenderAlone = noClasses()
            .that()
            .resideInAPackage(HEALTH)
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage(ROOT + "..").and(not(resideInAnyPackage(HEALTH, GUARD, TURN, SENDER, COMMON))));

    @ArchTest
    static final ArchRule whatIsSentIsMadeByTheJdkAlone = dependenciesOf(WIRE, WIRE, JAVA, "javax.crypto..", JSPECIFY);

    @ArchTest
    static final ArchRule theSendersApiKnowsNothingOfTheReceivingSideAndNoFramework =
            dependenciesOf(SENDER, SENDER, WIRE, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theSendersApiMentionsApiAndJdkTypesAlone = mentioning(SENDER, SENDER, JAVA);

    @ArchTest
    static final ArchRule theSendersSpiKnowsItsApiAndTheJdkAlone =
            dependenciesOf(SENDER_SPI, SENDER_SPI, SENDER, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theSendersSpiMentionsSpiApiAndJdkTypesAlone =
            mentioning(SENDER_SPI, SENDER_SPI, SENDER, JAVA);

    @ArchTest
    static final ArchRule theDispatcherKnowsTheSendersPortsAndNoImplementation =
            dependenciesOf(DISPATCH, DISPATCH, SENDER_SPI, SENDER, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule theSendersCommandKnowsPortsAlone =
            dependenciesOf(SENDER + ".cli", SENDER + ".cli", DISPATCH, SENDER_SPI, SENDER, JAVA, JSPECIFY);

    @ArchTest
    static final ArchRule restKnowsAdmissionAndSourcesAlone = noClasses()
            .that()
            .resideInAPackage(REST)
            .should()
            .dependOnClassesThat(resideInAnyPackage(ROOT + "..")
                    .and(not(resideInAnyPackage(REST, ROOT, ADMISSION, SPI, SOURCE, COMMON))));

    @ArchTest
    static final ArchRule storesNeverSeeEachOther =
            slices().matching(ROOT + ".store.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule storesSeeTheSpiAndTheirDatabaseAlone = noClasses()
            .that()
            .resideInAPackage(STORES)
            .should()
            .dependOnClassesThat(resideInAnyPackage(ROOT + "..")
                    .and(not(resideInAnyPackage(STORES, SPI, ADMISSION, SQL, SQLITE, REDIS, REDIS_CLIENT, COMMON))));

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
            onlyIn("org.redisson..", REDIS, REDIS_CLIENT, ROOT + ".store.redis", SENDER + ".redis", TURN + ".redis");

    @ArchTest
    static final ArchRule whatRedissonTalksThroughStaysInItsStore = onlyIn("io.netty..", REDIS, REDIS_CLIENT);

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
            .haveModifier(JavaModifier.FINAL);
}
