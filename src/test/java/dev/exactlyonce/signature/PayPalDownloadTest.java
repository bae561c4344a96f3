package dev.exactlyonce.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How PayPal's certificates are fetched, from a real server. */
@Timeout(180)
class PayPalDownloadTest {
    private final HttpsDownload download = new HttpsDownload(JdkTrust::tls, Duration.ofSeconds(20));
    private FileServer server;

    @BeforeEach
    void start() throws IOException {
        server = FileServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/sized", "/chunked"})
    void aFileIsReadUpToTheLimitAndNoFurther(String path) throws IOException {
        server.put(path, new byte[HttpsDownload.MOST_BYTES]);
        assertThat(download.get(server.at(path))).hasSize(HttpsDownload.MOST_BYTES);
        server.put(path, new byte[HttpsDownload.MOST_BYTES + 1]);
        assertThatThrownBy(() -> download.get(server.at(path)))
                .isInstanceOf(IOException.class)
                .hasRootCauseMessage("larger than 65536 bytes");
        server.put(path, new byte[50_000_000]);
        assertThatThrownBy(() -> download.get(server.at(path))).isInstanceOf(IOException.class);
    }

    @Test
    void aRedirectIsNotFollowed() {
        server.put("/c", new byte[1]);
        assertThatThrownBy(() -> download.get(server.at("/moved/c")))
                .isInstanceOf(IOException.class)
                .hasMessage("answered 302");
        assertThat(server.asked()).containsExactly("/moved/c");
    }

    @Test
    void whatIsNotThereIsAFailure() {
        assertThatThrownBy(() -> download.get(server.at("/none"))).hasMessage("answered 404");
        URI refused = server.at("/c");
        server.close();
        assertThatThrownBy(() -> download.get(refused)).isInstanceOf(IOException.class);
    }

    @Test
    void aServerThatDoesNotAnswerIsNotWaitedForLong() {
        CountDownLatch never = new CountDownLatch(1);
        server.holdUntil(never);
        HttpsDownload hasty = new HttpsDownload(JdkTrust::tls, Duration.ofMillis(300));
        assertThatThrownBy(() -> hasty.get(server.at("/c"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> hasty.get(server.at("/stuck"))).isInstanceOf(IOException.class);
        never.countDown();
    }

    @Test
    void aServerThatNobodyVouchesForIsNotListenedTo() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(PayPalAuthority.get().keys(), PayPalAuthority.PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        HttpsServer https = HttpsServer.create(FileServer.anyPort(), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(tls));
        try (FileServer stranger = new FileServer(https)) {
            stranger.put("/c", new byte[1]);
            assertThatThrownBy(() -> download.get(URI.create("https://localhost:" + stranger.port() + "/c")))
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("SSLHandshakeException");
            assertThat(stranger.asked()).isEmpty();
        }
    }
}
