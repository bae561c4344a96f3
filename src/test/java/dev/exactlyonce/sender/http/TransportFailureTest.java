package dev.exactlyonce.sender.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.spi.TransportResult;
import dev.exactlyonce.sender.spi.TransportResult.TransportFailure;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receivers that are not there, or not well. */
@Timeout(60)
class TransportFailureTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final TransportResult OK = new TransportResult.Status(200, Optional.empty());

    /** Loading its classes takes a second, and no attempt should end in the midst of that. */
    @BeforeAll
    static void warmUp() throws Exception {
        assertThat(post(LONG, Receiver.status(200))).isEqualTo(OK);
    }

    private static TransportResult post(Duration connectWithin, Duration answerWithin, URI url, byte[] body) {
        try (ApacheTransport transport = new ApacheTransport(connectWithin, answerWithin)) {
            return transport.post(Receiver.endpoint(url), Map.of(), body);
        }
    }

    private static TransportResult post(Duration answerWithin, Receiver.Script script) throws Exception {
        try (Receiver receiver = Receiver.start(script)) {
            return post(answerWithin, answerWithin, receiver.at("/"), new byte[] {1});
        }
    }

    private static void drip(OutputStream out, String head) throws Exception {
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        while (true) {
            out.write('x');
            out.flush();
            Thread.onSpinWait();
        }
    }

    @Test
    void aPortWithoutAListenerIsAFailedConnection() throws Exception {
        int port;
        try (ServerSocket once = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = once.getLocalPort();
        }
        assertThat(post(LONG, LONG, URI.create("http://localhost:" + port + "/"), new byte[0]))
                .isEqualTo(new TransportResult.None(TransportFailure.CONNECT));
    }

    /** Linux drops what comes to a full backlog. */
    @Test
    void aConnectionThatIsNotMadeInTimeIsNone() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket first = new Socket(full.getInetAddress(), full.getLocalPort());
                Socket second = new Socket(full.getInetAddress(), full.getLocalPort())) {
            assertThat(List.of(first, second)).allMatch(Socket::isConnected);

            assertThat(post(SHORT, LONG, URI.create("http://localhost:" + full.getLocalPort() + "/"), new byte[0]))
                    .isEqualTo(new TransportResult.None(TransportFailure.CONNECT));
        }
    }

    @Test
    void aNameThatIsNotKnownIsDns() {
        assertThat(post(LONG, LONG, URI.create("http://nowhere.invalid/"), new byte[0]))
                .isEqualTo(new TransportResult.None(TransportFailure.DNS));
    }

    @Test
    void aLookupThatHangsIsDns() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        HostLookup hanging = host -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new InetAddress[0];
        };
        TransportTimeouts patience = new TransportTimeouts(SHORT, LONG, Duration.ZERO);
        try (ApacheTransport transport = new ApacheTransport(patience, hanging, SSLContext.getDefault())) {
            for (int i = 0; i < 2; i++) {
                assertThat(transport.post(
                                Receiver.endpoint(URI.create("http://example.com/"), false, 1), Map.of(), new byte[0]))
                        .isEqualTo(new TransportResult.None(TransportFailure.DNS));
            }
        }
    }

    @Test
    void silenceIsNoAnswer() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        assertThat(post(SHORT, (request, out) -> never.await()))
                .isEqualTo(new TransportResult.None(TransportFailure.NO_ANSWER));
    }

    @Test
    void aHeadThatDripsIsNoAnswer() throws Exception {
        assertThat(post(SHORT, (request, out) -> drip(out, "HTTP/1.1 200 OK\r\nX: ")))
                .isEqualTo(new TransportResult.None(TransportFailure.NO_ANSWER));
    }

    @Test
    void manyInterimAnswersAreNoAnswer() throws Exception {
        assertThat(post(SHORT, (request, out) -> {
                    while (true) {
                        Receiver.raw("HTTP/1.1 102 Processing\r\n\r\n").answer(request, out);
                    }
                }))
                .isEqualTo(new TransportResult.None(TransportFailure.NO_ANSWER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"X: 1\r\n", "X", "\r\n"})
    void aHeadWithoutEndIsNoAnswerLongBeforeTheDeadline(String more) throws Exception {
        String start = more.isBlank() ? "" : "HTTP/1.1 200 OK\r\nX: ";
        assertThat(post(LONG, (request, out) -> {
                    Receiver.raw(start).answer(request, out);
                    while (true) {
                        Receiver.raw(more.repeat(100)).answer(request, out);
                    }
                }))
                .isEqualTo(new TransportResult.None(TransportFailure.NO_ANSWER));
    }

    @Test
    void theStatusCountsAlthoughTheBodyDrips() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        assertThat(post(SHORT, (request, out) -> {
                    Receiver.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")
                            .answer(request, out);
                    never.await();
                }))
                .isEqualTo(OK);
    }

    @Test
    void theStatusCountsAlthoughTheBodyBreaksOff() throws Exception {
        assertThat(post(LONG, (request, out) -> {
                    Receiver.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")
                            .answer(request, out);
                    out.close();
                }))
                .isEqualTo(OK);
    }

    @Test
    void theStatusCountsAlthoughTheBodyIsGarbage() throws Exception {
        assertThat(post(
                        LONG,
                        Receiver.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk at all\r\n\r\n")))
                .isEqualTo(OK);
    }

    @Test
    void theStatusCountsAlthoughTheBodyIsEndless() throws Exception {
        assertThat(post(LONG, (request, out) -> {
                    Receiver.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                            .answer(request, out);
                    while (true) {
                        Receiver.raw("5\r\nxxxxx\r\n").answer(request, out);
                    }
                }))
                .isEqualTo(OK);
    }

    @Test
    void aConnectionClosedBeforeTheAnswerIsNoAnswer() throws Exception {
        assertThat(post(LONG, (request, out) -> out.close()))
                .isEqualTo(new TransportResult.None(TransportFailure.NO_ANSWER));
    }

    /** A request larger than what the sockets buffer. */
    @Test
    void aReceiverThatDoesNotReadIsNoAnswer() throws Exception {
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(post(
                            SHORT,
                            SHORT,
                            URI.create("http://localhost:" + deaf.getLocalPort() + "/"),
                            new byte[16_000_000]))
                    .isEqualTo(new TransportResult.None(TransportFailure.NO_ANSWER));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage\r\n\r\n",
                "SSH-2.0-OpenSSH_9.2p1\r\n",
                "HTTP/1.1 abc Whatever\r\n\r\n",
                "HTTP/1.1 -1 Whatever\r\n\r\n",
                "HTTP/1.1 000 Whatever\r\n\r\n",
                "HTTP/1.1 99999999999 Whatever\r\n\r\n",
                "HTTP/9.9 200 OK\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: sorcery\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"
            })
    void garbageIsNoAnswer(String bytes) throws Exception {
        assertThat(post(LONG, (request, out) -> {
                    Receiver.raw(bytes).answer(request, out);
                    out.close();
                }))
                .isEqualTo(new TransportResult.None(TransportFailure.NO_ANSWER));
    }

    @Test
    void anEndpointThatFailsKeepsItsConnections() throws Exception {
        CompletableFuture<Receiver> itself = new CompletableFuture<>();
        List<Receiver.Script> scripts = List.of(
                Receiver.raw("HTTP/1.1 000 Whatever\r\n\r\n"),
                (request, out) -> out.close(),
                Receiver.raw("HTTP/9.9 200 OK\r\n\r\n"),
                Receiver.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n"));
        try (Receiver receiver = Receiver.start((request, out) -> {
                    int past = itself.join().requests().size() - 1;
                    (past < scripts.size() ? scripts.get(past) : Receiver.status(200)).answer(request, out);
                });
                ApacheTransport transport = new ApacheTransport(LONG, LONG)) {
            itself.complete(receiver);
            Endpoint endpoint = Receiver.endpoint(receiver.at("/"), true, 1);
            scripts.forEach(it -> transport.post(endpoint, Map.of(), new byte[] {1}));

            assertThat(transport.post(endpoint, Map.of(), new byte[] {1})).isEqualTo(OK);
        }
    }

    @Test
    void aKeptConnectionThatIsClosedUnderTheRequestIsNoAnswer() throws Exception {
        CompletableFuture<Receiver> itself = new CompletableFuture<>();
        try (Receiver receiver = Receiver.start((request, out) -> {
                    if (itself.join().requests().size() > 1) {
                        out.close();
                    } else {
                        Receiver.status(200).answer(request, out);
                    }
                });
                ApacheTransport transport = new ApacheTransport(LONG, LONG)) {
            itself.complete(receiver);
            Endpoint endpoint = Receiver.endpoint(receiver.at("/"));
            assertThat(transport.post(endpoint, Map.of(), new byte[] {1})).isEqualTo(OK);

            assertThat(transport.post(endpoint, Map.of(), new byte[] {1}))
                    .isEqualTo(new TransportResult.None(TransportFailure.NO_ANSWER));
            assertThat(receiver.requests()).hasSize(2);
        }
    }
}
