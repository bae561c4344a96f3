package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.TestCertificate;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Redis that speaks TLS, with a certificate that only the given truststore knows. */
@Timeout(120)
class RedisTlsTest {
    private static final Duration PATIENT = Duration.ofSeconds(10);
    private static final String PASSWORD = "open-sesame";
    private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, new byte[] {'\n'});

    @TempDir
    static Path folder;

    private static RedisProcess redis;
    private static int port;

    @BeforeAll
    static void startRedis() throws Exception {
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        TestCertificate own = TestCertificate.selfSigned(
                "RSA",
                new TestCertificate.Form("CN=127.0.0.1", yesterday, Duration.ofDays(3))
                        .ofAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        own.store(store, "redis", PASSWORD.toCharArray());
        try (OutputStream out = Files.newOutputStream(folder.resolve("keys.p12"))) {
            store.store(out, PASSWORD.toCharArray());
        }
        Path key = folder.resolve("key.pem");
        Path certificate = folder.resolve("certificate.pem");
        write(key, "PRIVATE KEY", own.keys().getPrivate().getEncoded());
        write(certificate, "CERTIFICATE", own.chain().get(0).getEncoded());
        redis = RedisProcess.start(
                "tls-cert-file " + certificate,
                "tls-key-file " + key,
                "tls-ca-cert-file " + certificate,
                "tls-auth-clients no");
        await("a free port for TLS")
                .ignoreExceptionsInstanceOf(IllegalStateException.class)
                .until(() -> {
                    port = freePort();
                    return redis.command("CONFIG", "SET", "tls-port", Integer.toString(port))
                            .equals("OK");
                });
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    private static void write(Path file, String kind, byte[] content) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + kind + "-----\n" + PEM.encodeToString(content) + "\n-----END " + kind + "-----\n");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Claim claim(String part) {
        return Claim.fresh(DeliveryKey.of("github", "POST /", List.of(part)), Fingerprint.NONE, Duration.ofMinutes(5));
    }

    private static RedisSettings settings(Optional<Path> file) {
        RedisSettings.Server server =
                new RedisSettings.Server(true, redis.host(), port, 0, Optional.empty(), Optional.empty());
        return new RedisSettings(server, file, RedisSettings.DEFAULT_PREFIX, PATIENT, 0);
    }

    @Test
    void aCertificateThatTheConfigurationFileTrustsIsTalkedTo() throws Exception {
        Path file = folder.resolve("redisson.yaml");
        Files.writeString(file, """
                sslTruststore: "%s"
                sslTruststorePassword: "%s"
                singleServerConfig:
                  address: "rediss://%s:%d"
                """.formatted(folder.resolve("keys.p12").toUri(), PASSWORD, redis.host(), port));
        assertThat(RedisStore.faultOf(settings(Optional.of(file)))).isEmpty();
        Claim mine = claim("k");

        try (IdempotencyStore store =
                RedisStoreContract.connected(new RedisStore(settings(Optional.of(file)), new Watched()))) {
            assertThat(store.reserve(mine)).isInstanceOf(Reservation.Granted.class);
            assertThat(store.record(mine, RecordedAnswer.of(200), Duration.ofHours(1)))
                    .isInstanceOf(Recording.Written.class);
        }
        assertThat(redis.command("GET", "exactlyonce:hookidem:" + mine.key().value()))
                .contains("|recorded|");
    }

    @Test
    void anUntrustedCertificateIsRefused() throws Exception {
        try (IdempotencyStore store = new RedisStore(settings(Optional.empty()), new Watched())) {
            assertThatThrownBy(() -> store.reserve(claim("k")))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessage("Redis cannot be reached: TLS failed");
        }
    }
}
