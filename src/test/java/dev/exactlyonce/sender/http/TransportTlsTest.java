package dev.exactlyonce.sender.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.spi.TransportResult;
import dev.exactlyonce.sender.spi.TransportResult.TransportFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TransportTlsTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final TransportTimeouts PATIENT = new TransportTimeouts(LONG, LONG, Duration.ZERO);
    private static final TransportResult OK = new TransportResult.Status(200, Optional.empty());

    private static Certificate ofLocalhost;
    private static Certificate ofAnother;

    @BeforeAll
    static void makeCertificates() throws Exception {
        ofLocalhost = Certificate.of("localhost");
        ofAnother = Certificate.of("another.example");
        // Loading the classes takes a second, and no handshake should end in the midst of that.
        try (Receiver receiver = ofLocalhost.receiver(Receiver.status(200))) {
            assertThat(post(receiver.at("/"), PATIENT, ofLocalhost.tls())).isEqualTo(OK);
        }
    }

    private static TransportResult post(URI url, TransportTimeouts patience, SSLContext tls) {
        try (ApacheTransport transport = new ApacheTransport(patience, InetAddress::getAllByName, tls)) {
            return transport.post(Receiver.endpoint(url), Map.of(), new byte[] {1});
        }
    }

    private static URI at(ServerSocket server) {
        return URI.create("https://localhost:" + server.getLocalPort() + "/");
    }

    @Test
    void aCertificateThatIsTrustedIsTalkedTo() throws Exception {
        try (Receiver receiver = ofLocalhost.receiver(Receiver.status(200));
                ApacheTransport transport =
                        new ApacheTransport(PATIENT, InetAddress::getAllByName, ofLocalhost.tls())) {
            Endpoint endpoint = Receiver.endpoint(receiver.at("/"));

            assertThat(transport.post(endpoint, Map.of(), new byte[] {1})).isEqualTo(OK);
            assertThat(transport.post(endpoint, Map.of(), new byte[] {1})).isEqualTo(OK);
            assertThat(receiver.connections()).isEqualTo(1);
        }
    }

    @Test
    void anUntrustedCertificateIsRefused() throws Exception {
        try (Receiver receiver = ofLocalhost.receiver(Receiver.status(200));
                ApacheTransport transport = new ApacheTransport(LONG, LONG)) {
            assertThat(transport.post(Receiver.endpoint(receiver.at("/")), Map.of(), new byte[] {1}))
                    .isEqualTo(new TransportResult.None(TransportFailure.TLS));
            assertThat(receiver.requests()).isEmpty();
        }
    }

    @Test
    void aCertificateOfAnotherHostIsNotTalkedTo() throws Exception {
        try (Receiver receiver = ofAnother.receiver(Receiver.status(200))) {
            assertThat(post(receiver.at("/"), PATIENT, ofAnother.tls()))
                    .isEqualTo(new TransportResult.None(TransportFailure.TLS));
            assertThat(receiver.requests()).isEmpty();
        }
    }

    /** The certificate of a name counts for its absolute form, too. */
    @Test
    void aHostThatEndsWithADotIsVerifiedWithoutIt() throws Exception {
        InetAddress[] here = {InetAddress.getLoopbackAddress()};
        try (Receiver receiver = ofAnother.receiver(Receiver.status(200));
                ApacheTransport transport = new ApacheTransport(PATIENT, host -> here, ofAnother.tls())) {
            URI dotted = URI.create("HTTPS://another.example.:" + receiver.port() + "/");

            assertThat(transport.post(Receiver.endpoint(dotted), Map.of(), new byte[] {1}))
                    .isEqualTo(OK);
        }
    }

    @Test
    void aServerWithoutTlsIsRefused() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            served(plain, out -> out.write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));

            assertThat(post(at(plain), PATIENT, ofLocalhost.tls()))
                    .isEqualTo(new TransportResult.None(TransportFailure.TLS));
        }
    }

    @Test
    void aHandshakeThatIsHungUpOnIsTls() throws Exception {
        try (ServerSocket curt = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            served(curt, OutputStream::close);

            assertThat(post(at(curt), PATIENT, ofLocalhost.tls()))
                    .isEqualTo(new TransportResult.None(TransportFailure.TLS));
        }
    }

    @Test
    void aHandshakeThatHangsIsTls() throws Exception {
        TransportTimeouts hasty = new TransportTimeouts(Duration.ofSeconds(1), LONG, Duration.ZERO);
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(post(at(silent), hasty, ofLocalhost.tls()))
                    .isEqualTo(new TransportResult.None(TransportFailure.TLS));
        }
    }

    /** A handshake record of 16 KB, a byte at a time: no single read takes long. */
    @Test
    void aHandshakeThatDripsIsTls() throws Exception {
        TransportTimeouts hasty = new TransportTimeouts(Duration.ofSeconds(1), LONG, Duration.ZERO);
        try (ServerSocket slow = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            served(slow, out -> {
                out.write(new byte[] {0x16, 3, 3, 0x40, 0});
                while (true) {
                    out.write(2);
                    LockSupport.parkNanos(10_000_000);
                }
            });

            assertThat(post(at(slow), hasty, ofLocalhost.tls()))
                    .isEqualTo(new TransportResult.None(TransportFailure.TLS));
        }
    }

    @FunctionalInterface
    private interface Talk {
        void to(OutputStream out) throws IOException;
    }

    private static void served(ServerSocket server, Talk talk) {
        Thread thread = new Thread(() -> {
            try (Socket socket = server.accept()) {
                talk.to(socket.getOutputStream());
            } catch (IOException gone) {
                // the sender hung up
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
