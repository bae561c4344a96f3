package dev.exactlyonce.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.common.SteadyClock;
import dev.exactlyonce.config.Settings;
import dev.exactlyonce.config.SettingsReader;
import dev.exactlyonce.example.ExampleStoreProvider;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that contains a store of its own and the line that makes it a service. */
class StoreOfAnApplicationTest {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @TempDir
    Path application;

    private void deploy(String services, String... settings) throws Exception {
        Path folder = Files.createDirectories(application.resolve("META-INF/services"));
        Files.writeString(folder.resolve("dev.exactlyonce.spi.StoreProvider"), services);
        Files.writeString(
                application.resolve("META-INF/microprofile-config.properties"),
                "config_ordinal=500\n" + String.join("\n", settings));
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader(new URL[] {application.toUri().toURL()}, before));
    }

    @AfterEach
    void undeploy() throws Exception {
        ClassLoader own = Thread.currentThread().getContextClassLoader();
        if (own != before) {
            ConfigProviderResolver.instance().releaseConfig(ConfigProvider.getConfig());
            Thread.currentThread().setContextClassLoader(before);
            ((URLClassLoader) own).close();
        }
    }

    private static SettingsReader.Reading read() {
        return SettingsReader.ofThisApplication("shop").read(Set.of("github"));
    }

    @Test
    void itsNameChoosesItAndItsSettingsAreReadInEveryNotation() throws Exception {
        deploy(
                ExampleStoreProvider.class.getName(),
                "exactlyonce.store=example",
                "EXACTLYONCE_EXAMPLE_JDBC_URL=jdbc:h2:" + application.resolve("keys"));
        SettingsReader.Reading reading = read();
        assertThat(reading.problems()).isEmpty();
        Settings settings = reading.settings();
        assertThat(settings.store().name()).isEqualTo("example");
        assertThat(settings.store().sqliteFile()).isEmpty();

        InstantSource clock = new SteadyClock(MachineClocks.system());
        DegradedFacts facts = new DegradedFacts(clock, event -> {});
        Claim claim =
                Claim.fresh(DeliveryKey.of("github", "github", List.of("1")), Fingerprint.NONE, Duration.ofMinutes(1));
        try (StoreFactory stores = StoreFactory.of(settings, facts, clock)) {
            stores.guard().check();
            assertThat(stores.guard().reserve(claim)).isInstanceOf(Reservation.Granted.class);
            stores.store().record(claim, RecordedAnswer.of(200), Duration.ofHours(1));
        }
        try (StoreFactory stores = StoreFactory.of(settings, facts, clock)) {
            assertThat(stores.store().find(claim.key()))
                    .contains(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(200)));
        }
        assertThat(facts.all()).isEmpty();
        assertThat(application.resolve("keys.mv.db")).exists();
    }

    @Test
    void anUnknownNameFailsTheDeploymentAndTheNamesThatWereFoundAreListed() throws Exception {
        deploy(ExampleStoreProvider.class.getName(), "exactlyonce.store=h2");
        assertThat(read().problems())
                .singleElement()
                .asString()
                .startsWith("exactlyonce.store: 'h2' is not allowed; allowed: ")
                .contains("sqlite", "redis", "memory", "example");
    }

    @Test
    void aFaultInASettingOfItsIsAFaultOfTheDeploymentWhicheverStoreIsChosen() throws Exception {
        deploy(
                ExampleStoreProvider.class.getName(),
                "exactlyonce.example.jdbc-url=jdbc:postgresql://secret",
                "exactlyonce.example.jdbc-uri=x");
        assertThat(read().problems())
                .containsExactlyInAnyOrder(
                        "exactlyonce.example.jdbc-url: the value is not allowed; allowed: a JDBC URL of H2",
                        "exactlyonce.example.jdbc-uri: unknown setting; the nearest known one is"
                                + " exactlyonce.example.jdbc-url");
    }

    @Test
    void aProviderThatCannotBeLoadedFailsTheDeploymentAndIsNamed() throws Exception {
        deploy("no.such.Provider");
        assertThat(read().problems())
                .singleElement()
                .asString()
                .startsWith("exactlyonce.store: a store provider cannot be loaded: ")
                .contains("no.such.Provider");
    }
}
