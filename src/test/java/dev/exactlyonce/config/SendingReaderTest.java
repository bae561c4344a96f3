package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.DocumentedTable;
import dev.exactlyonce.sender.BodyCodec;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.Forwarding;
import dev.exactlyonce.sender.RetryBudget;
import dev.exactlyonce.sender.SenderSettings;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SendingReaderTest {
    private static final String CRM = "exactlyonce.sender.endpoint.crm.";
    private static final Map<String, String> LEAST = Map.of(
            "exactlyonce.sender.endpoints",
            "crm",
            CRM + "url",
            "https://crm.example/hook?token=topsecret",
            CRM + "secret",
            "a-secret-of-16-chars");

    private static SettingsReader.Reading read(Map<String, String> properties, String... more) {
        Map<String, String> all = new HashMap<>(properties);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        all.values().removeIf(String::isEmpty);
        return new SettingsReader(
                        new SmallRyeConfigBuilder()
                                .addDefaultInterceptors()
                                .withSources(new PropertiesConfigSource(all, "test", 100))
                                .build(),
                        "shop",
                        StoreProviders.ofThisApplication(),
                        InstantSource.system())
                .read(Set.of("billing"));
    }

    private static Endpoint crm(String... more) {
        SettingsReader.Reading reading = read(LEAST, more);
        assertThat(reading.problems()).isEmpty();
        return reading.settings().sending().settings().endpoints().get("crm");
    }

    @Test
    void nothingIsSentUnlessAnEndpointIsDeclared() {
        SenderConfiguration sending = read(Map.of()).settings().sending();

        assertThat(sending.isUsed()).isFalse();
        assertThat(sending.sqlite()).isEmpty();
    }

    @Test
    void anUrlAndASecretAreEnough() {
        Endpoint crm = crm();

        assertThat(crm.budget()).isEqualTo(RetryBudget.DEFAULT);
        assertThat(crm.codec()).isEqualTo(BodyCodec.JSON);
        assertThat(crm.guarantee()).isEqualTo(Endpoint.Guarantee.AT_LEAST_ONCE);
        assertThat(crm.breaker()).isEqualTo(Endpoint.BreakerPolicy.FAILURES);
        assertThat(crm.allowHttp()).isFalse();
        assertThat(crm.allowPrivate()).isFalse();
        assertThat(crm.maxBodySize()).isEqualTo(1 << 20);
        assertThat(crm.concurrency()).isEqualTo(8);
        SenderConfiguration sending = read(LEAST).settings().sending();
        assertThat(sending.settings().replayWindow()).isEqualTo(SenderSettings.DEFAULT_REPLAY_WINDOW);
        assertThat(sending.settings().retention()).isEqualTo(SenderSettings.DEFAULT_RETENTION);
        assertThat(sending.sqlite().orElseThrow().path())
                .isEqualTo(Path.of("exactly-once-sender-shop.db").toAbsolutePath());
    }

    @Test
    void theDefaultsOfTheTableAreThoseOfTheCode() {
        Map<String, String> written = new HashMap<>(LEAST);
        Stream.of(SendingSettings.ALL, PerEndpointSettings.ALL)
                .flatMap(List::stream)
                .forEach(it -> DocumentedDefaults.put(it, "crm", written));
        SenderConfiguration spelledOut = read(written).settings().sending();

        assertThat(written).hasSizeGreaterThan(12);
        assertThat(read(written).problems()).isEmpty();
        assertThat(spelledOut.settings().endpoints().get("crm"))
                .usingRecursiveComparison()
                .ignoringFields("signer")
                .isEqualTo(crm());
    }

    @Test
    void everySettingIsRead() {
        Endpoint crm = crm(
                CRM + "secret-previous", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                CRM + "codec", "python-sorted",
                CRM + "retry-delays", "PT0.5S, PT2M",
                CRM + "retry-jitter", "0.25",
                CRM + "deadline", "PT1H",
                CRM + "breaker", "dlq-rate",
                CRM + "allow-private", "true",
                CRM + "max-body-size", "100",
                CRM + "concurrency", "16");

        assertThat(crm.codec()).isEqualTo(BodyCodec.PYTHON_SORTED);
        assertThat(crm.budget())
                .isEqualTo(new RetryBudget(
                        List.of(Duration.ofMillis(500), Duration.ofMinutes(2)), 0.25, Duration.ofHours(1)));
        assertThat(crm.breaker()).isEqualTo(Endpoint.BreakerPolicy.DLQ_RATE);
        assertThat(crm.allowPrivate()).isTrue();
        assertThat(crm.maxBodySize()).isEqualTo(100);
        assertThat(crm.concurrency()).isEqualTo(16);
        assertThat(crm(CRM + "retry-delays", "none").budget().delays()).isEmpty();
        assertThat(crm(CRM + "guarantee", "at-most-once").guarantee()).isEqualTo(Endpoint.Guarantee.AT_MOST_ONCE);
        assertThat(crm(CRM + "url", "http://localhost:8080/x").url().getPort()).isEqualTo(8080);
        assertThat(crm(CRM + "url", "http://crm.example/x", CRM + "allow-http", "true")
                        .allowHttp())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "http://crm_example:8080/hook, crm_example, 8080",
        "http://_crm.example_/, _crm.example_, -1",
        "HTTPS://CRM.example/hook, CRM.example, -1",
        "https://crm.example./hook, crm.example., -1",
        "https://crm.example:/hook, crm.example, -1",
        "https://[2001:db8::1]:8443/hook, [2001:db8::1], 8443",
        "https://xn--kse-qla.example, xn--kse-qla.example, -1"
    })
    void unusualWritingsOfAServerAreUnderstood(String url, String host, int port) {
        Endpoint crm = crm(CRM + "url", url, CRM + "allow-http", "true");

        assertThat(crm.host()).isEqualTo(host);
        assertThat(crm.port()).isEqualTo(port);
        assertThat(crm.scheme()).isIn("http", "https");
    }

    @ParameterizedTest(name = "{0} = {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "url | ftp://crm.example/ | is not an absolute https URL",
                "url | /hook | is not an absolute https URL",
                "url | https:// | is not a valid URL",
                "url | https://crm_example/ | has an underscore in its host, and Java's TLS neither names nor verifies",
                "url | https://my_crm.example:8443/ | use http with allow-http=true",
                "url | http://crm_example/ | is http; only https leaves this machine",
                "url | https://user:pass@crm_example/ | holds a user",
                "url | https://crm_example:0/ | port outside 1 to 65535",
                "url | https://crm_example:8a/ | port outside 1 to 65535",
                "url | https://crm_example:+80/ | port outside 1 to 65535",
                "url | https://käse.example/ | write the host in Punycode",
                "url | https://crm.example/käse | percent-encode them as UTF-8",
                "url | https://cr%6D.example/ | has a percent sign in its host",
                "url | https://[fe80::1%eth0]/ | names an IPv6 zone",
                "url | https://[fe80::1%25eth0]/ | names an IPv6 zone",
                "url | https://crm..example/ | has no host that is a name or an address",
                "url | https://-crm.example/ | has no host that is a name or an address",
                "url | https://127.1/ | has no host that is a name or an address",
                "url | https://1.2.3.256/ | has no host that is a name or an address",
                "url | https://a,b/ | has no host that is a name or an address",
                "url | https://:8443/ | has no host that is a name or an address",
                "url | https:crm.example | is not an absolute https URL",
                "url | //crm.example/ | is not an absolute https URL",
                "url | http://crm.example/ | is http; only https leaves this machine",
                "url | https://user:pass@crm.example/ | holds a user",
                "url | https://crm.example/#part | holds a user or a fragment",
                "url | https://crm.example:0/ | port outside 1 to 65535",
                "url | https://crm.example:70000/ | port outside 1 to 65535",
                "url | not a url | is not a valid URL",
                "secret | short | shorter than 16",
                "secret | whsec_AAAA | Standard Webhooks allows 24 to 64",
                "secret-previous | whsec_!! | is not valid Base64",
                "signing-key | whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw | begins with whsk_",
                "codec | xml | allowed: json, python-sorted",
                "retry-delays | 1s | separated by commas",
                "retry-delays | PT1S,,PT2S | separated by commas",
                "retry-delays | PT-1S | separated by commas",
                "retry-delays | PT25H | separated by commas",
                "retry-jitter | -0.1 | 0 to 1",
                "retry-jitter | 1.5 | 0 to 1",
                "retry-jitter | NaN | 0 to 1",
                "deadline | PT0S | PT1S to P30D",
                "guarantee | exactly-once | at-least-once, at-most-once",
                "breaker | sometimes | failures, dlq-rate, none",
                "allow-http | yes | true, false",
                "max-body-size | 16777217 | 0 to 16777216",
                "concurrency | 0 | 1 to 64",
                "concurrency | 65 | 1 to 64"
            })
    void aFaultNamesTheSettingAndWhatIsAllowed(String key, String value, String expected) {
        List<String> problems = read(LEAST, CRM + key, value).problems();

        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith(CRM + key + ": ")
                .contains(expected);
    }

    @Test
    void noMessageShowsAnUrlOrASecret() {
        List<String> problems = read(
                        LEAST,
                        CRM + "url",
                        "http://crm.example/hook?token=topsecret",
                        CRM + "secret",
                        "topsecret",
                        CRM + "signing-key",
                        "whsk_topsecret")
                .problems();

        assertThat(problems).hasSize(3);
        assertThat(problems.toString()).doesNotContain("topsecret", "crm.example");
    }

    @Test
    void whatIsNeededIsAskedFor() {
        assertThat(read(Map.of("exactlyonce.sender.endpoints", "crm")).problems())
                .anyMatch(it -> it.startsWith(CRM + "url: is required"))
                .anyMatch(it -> it.startsWith(CRM + "secret: is required"));
    }

    @ParameterizedTest
    @CsvSource({
        "exactlyonce.sender.endpoint.shop.url, its endpoint is not declared; declared: crm",
        "exactlyonce.sender.endpoint.crm.urll, its endpoint is not declared; declared: crm",
        "exactlyonce.sender.retentoin, the nearest known one is exactlyonce.sender.retention"
    })
    void anUnknownNameIsRefused(String name, String expected) {
        assertThat(read(LEAST, name, "x").problems()).singleElement().asString().contains(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "exactlyonce.sender.endpoints, 'crm,Shop', names [a-z]",
        "exactlyonce.sender.data-source, 'jdbc/out box', the JNDI name of a DataSource",
        "exactlyonce.sender.replay-window, PT0S, PT1S to P3650D",
        "exactlyonce.sender.retention, forever, PT1S to P3650D"
    })
    void aFaultOfTheWholeSenderIsRefused(String name, String value, String expected) {
        assertThat(read(LEAST, name, value).problems())
                .anyMatch(it -> it.startsWith(name + ": ") && it.contains(expected));
    }

    @ParameterizedTest
    @CsvSource({"target/keys.db, target/keys.db", "target/keys.db, target/classes/../keys.db"})
    void theStoresFileIsNoFileForTheOutbox(String store, String outbox) {
        SettingsReader.Reading reading =
                read(LEAST, "exactlyonce.sqlite.path", store, "exactlyonce.sender.sqlite.path", outbox);

        assertThat(reading.problems())
                .containsExactly(
                        "exactlyonce.sender.sqlite.path: is the file of exactlyonce.sqlite.path, too; each needs its"
                                + " own");
    }

    @Test
    void retriesThatTheDeadlineWouldNeverLetHappenAreRefused() {
        assertThat(read(LEAST, CRM + "retry-delays", "PT1S,PT1H").problems())
                .singleElement()
                .asString()
                .startsWith(CRM + "retry-delays: add up to PT1H1S, and the deadline is PT10M");
        assertThat(crm(CRM + "retry-delays", "PT1S,PT1H", CRM + "deadline", "PT2H")
                        .budget()
                        .delays())
                .hasSize(2);
    }

    @Test
    void aFileBesideADataSourceHasNoEffectAndIsRefused() {
        String file = "exactlyonce.sender.sqlite.path";
        SettingsReader.Reading reading = read(LEAST, "exactlyonce.sender.data-source", "jdbc/outbox", file, "x.db");

        assertThat(reading.problems()).singleElement().asString().startsWith(file + ": has no effect beside");
        assertThat(read(LEAST, "exactlyonce.sender.data-source", "jdbc/outbox")
                        .settings()
                        .sending()
                        .dataSource())
                .contains("jdbc/outbox");
    }

    @Test
    void retriesOfAnEndpointThatMakesNoneAreRefused() {
        assertThat(read(LEAST, CRM + "guarantee", "at-most-once", CRM + "retry-delays", "PT1S")
                        .problems())
                .singleElement()
                .asString()
                .startsWith(CRM + "retry-delays: has no effect with guarantee=at-most-once");
    }

    @Test
    void aSourceIsForwardedToADeclaredEndpointWithTheHeadersThatAreNamed() {
        String billing = "exactlyonce.source.billing.";
        SettingsReader.Reading reading =
                read(LEAST, billing + "forward-to", "crm", billing + "forward-headers", "X-Event, X-Tenant");

        assertThat(reading.problems()).isEmpty();
        assertThat(reading.settings().sending().forwarding().of("billing"))
                .contains(new Forwarding.Target("crm", List.of("X-Event", "X-Tenant")));
    }

    @ParameterizedTest
    @CsvSource({
        "forward-to, shop, 'names no endpoint that is declared and sound; there are: crm'",
        "forward-headers, X-Event, counts beside forward-to alone"
    })
    void aForwardingThatCannotBeIsRefused(String key, String value, String expected) {
        assertThat(read(LEAST, "exactlyonce.source.billing." + key, value).problems())
                .singleElement()
                .asString()
                .contains(expected);
    }

    @Test
    void anEndpointThatTakesLessThanItsSourceIsRefused() {
        assertThat(read(LEAST, "exactlyonce.source.billing.forward-to", "crm", CRM + "max-body-size", "1000")
                        .problems())
                .singleElement()
                .asString()
                .contains("the endpoint takes bodies of 1000 bytes, and this source's may have 1048576");
    }

    @Test
    void aReservedHeaderIsNotForwarded() {
        assertThat(read(
                                LEAST,
                                "exactlyonce.source.billing.forward-to",
                                "crm",
                                "exactlyonce.source.billing.forward-headers",
                                "Webhook-Signature")
                        .problems())
                .singleElement()
                .asString()
                .contains("the header webhook-signature is the sender's own");
    }

    @Test
    void theDocumentsTableOfSettingsIsTheOneOfTheCode() throws Exception {
        assertThat(DocumentedTable.in("doc/sending.md", "sender-settings"))
                .isEqualTo(SettingTable.of(Stream.concat(SendingSettings.ALL.stream(), PerEndpointSettings.ALL.stream())
                        .toList()));
    }
}
