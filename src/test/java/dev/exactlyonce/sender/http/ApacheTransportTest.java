package dev.exactlyonce.sender.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.spi.TransportResult;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ApacheTransportTest {
    private static final TransportResult OK = new TransportResult.Status(200, Optional.empty());
    private static final byte[] BODY = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);

    private final ApacheTransport transport = new ApacheTransport(Duration.ofSeconds(10), Duration.ofSeconds(30));

    @AfterEach
    void close() {
        transport.close();
    }

    private TransportResult post(Receiver receiver) {
        return post(Receiver.endpoint(receiver.at("/hooks")));
    }

    private TransportResult post(Endpoint endpoint) {
        return transport.post(endpoint, Map.of("content-type", List.of("application/json")), BODY);
    }

    private static OutputStream withHead(OutputStream out, int length) throws Exception {
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return out;
    }

    @Test
    void whatIsPostedArrivesByteForByte() throws Exception {
        byte[] body = new byte[100_000];
        new Random(7).nextBytes(body);
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("content-type", List.of("application/x-whatever"));
        headers.put("webhook-id", List.of("run:paid:0"));
        headers.put("x-signature-256", List.of("sha256=aa", "sha256=bb"));
        try (Receiver receiver = Receiver.start(Receiver.status(200))) {
            Endpoint endpoint = Receiver.endpoint(receiver.at("/a%2Fb//c;d?x=%C3%A4&y=1+2"));

            assertThat(transport.post(endpoint, headers, body)).isEqualTo(OK);

            Receiver.Request request = receiver.requests().get(0);
            assertThat(request.line()).isEqualTo("POST /a%2Fb//c;d?x=%C3%A4&y=1+2 HTTP/1.1");
            assertThat(request.body()).isEqualTo(new String(body, StandardCharsets.ISO_8859_1));
            assertThat(request.headers())
                    .containsExactlyInAnyOrder(
                            "content-type: application/x-whatever",
                            "webhook-id: run:paid:0",
                            "x-signature-256: sha256=aa",
                            "x-signature-256: sha256=bb",
                            "Content-Length: 100000",
                            "Host: localhost:" + receiver.port(),
                            "Connection: keep-alive",
                            "User-Agent: exactly-once/1");
        }
    }

    @Test
    void anEmptyBodyIsPostedToo() throws Exception {
        try (Receiver receiver = Receiver.start(Receiver.status(204))) {
            Endpoint endpoint = Receiver.endpoint(URI.create("http://localhost:" + receiver.port()));

            assertThat(transport.post(endpoint, Map.of(), new byte[0]))
                    .isEqualTo(new TransportResult.Status(204, Optional.empty()));

            assertThat(receiver.requests().get(0).line()).isEqualTo("POST / HTTP/1.1");
            assertThat(receiver.requests().get(0).headers()).contains("Content-Length: 0");
        }
    }

    @Test
    void retryAfterComesAsItIs() throws Exception {
        try (Receiver receiver = Receiver.start(Receiver.status(503, "retry-AFTER: soon, maybe"))) {
            assertThat(post(receiver)).isEqualTo(new TransportResult.Status(503, Optional.of("soon, maybe")));
        }
    }

    @Test
    void aRedirectIsAnAnswerAndNotFollowed() throws Exception {
        try (Receiver target = Receiver.start(Receiver.status(200))) {
            String location = "Location: " + target.at("/");
            for (int status : List.of(301, 302, 303, 307, 308)) {
                try (Receiver receiver = Receiver.start(Receiver.status(status, location))) {
                    assertThat(post(receiver)).isEqualTo(new TransportResult.Status(status, Optional.empty()));
                }
            }
            assertThat(target.connections()).isZero();
        }
    }

    @Test
    void nothingIsTriedASecondTime() throws Exception {
        try (Receiver receiver = Receiver.start(Receiver.status(503, "Retry-After: 0"))) {
            assertThat(post(receiver)).isInstanceOf(TransportResult.Status.class);
            assertThat(receiver.requests()).hasSize(1);
        }
    }

    @Test
    void aChallengeIsAResponseAndNoLoginFollows() throws Exception {
        try (Receiver receiver = Receiver.start(Receiver.status(401, "WWW-Authenticate: Basic realm=\"x\""))) {
            assertThat(post(receiver)).isEqualTo(new TransportResult.Status(401, Optional.empty()));
            assertThat(receiver.requests()).hasSize(1);
        }
    }

    @Test
    void noCookieIsSentBack() throws Exception {
        try (Receiver receiver = Receiver.start(Receiver.status(200, "Set-Cookie: a=b; Path=/"))) {
            Endpoint endpoint = Receiver.endpoint(receiver.at("/"));
            post(endpoint);
            post(endpoint);

            assertThat(receiver.requests())
                    .hasSize(2)
                    .allSatisfy(it -> assertThat(it.headers()).noneMatch(header -> header.startsWith("Cookie")));
        }
    }

    /** Inflated it would be too long for the connection to be kept. */
    @Test
    void aCompressedAnswerIsNotInflated() throws Exception {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bomb)) {
            out.write(new byte[10_000_000]);
        }
        assertThat(bomb.size()).isLessThan(ApacheTransport.MOST_READ);
        try (Receiver receiver = Receiver.start((request, out) -> {
            String head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + bomb.size() + "\r\n\r\n";
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            bomb.writeTo(out);
        })) {
            Endpoint endpoint = Receiver.endpoint(receiver.at("/"));
            assertThat(post(endpoint)).isEqualTo(OK);
            assertThat(post(endpoint)).isEqualTo(OK);
            assertThat(receiver.connections()).isEqualTo(1);
        }
    }

    @Test
    void aConnectionIsKept() throws Exception {
        try (Receiver receiver = Receiver.start((request, out) ->
                withHead(out, ApacheTransport.MOST_READ).write(new byte[ApacheTransport.MOST_READ]))) {
            Endpoint endpoint = Receiver.endpoint(receiver.at("/"));
            for (int i = 0; i < 5; i++) {
                assertThat(post(endpoint)).isEqualTo(OK);
            }
            assertThat(receiver.connections()).isEqualTo(1);
        }
    }

    @Test
    void anAnswerTooLongToReadCountsAndCostsItsConnection() throws Exception {
        int length = ApacheTransport.MOST_READ + 1;
        try (Receiver receiver =
                Receiver.start((request, out) -> withHead(out, length).write(new byte[length]))) {
            Endpoint endpoint = Receiver.endpoint(receiver.at("/"));

            assertThat(post(endpoint)).isEqualTo(OK);
            assertThat(post(endpoint)).isEqualTo(OK);
            assertThat(receiver.connections()).isEqualTo(2);
        }
    }

    @Test
    void tenMegabytesAreNotReadToTheEnd() throws Exception {
        int length = 10_000_000;
        CompletableFuture<Integer> written = new CompletableFuture<>();
        try (Receiver receiver = Receiver.start((request, out) -> {
            withHead(out, length);
            int done = 0;
            try {
                for (; done < length; done += 1000) {
                    out.write(new byte[1000]);
                }
            } finally {
                written.complete(done);
            }
        })) {
            assertThat(post(receiver)).isEqualTo(OK);
            assertThat(written.join()).isLessThan(length);
        }
    }

    @Test
    void aKeptConnectionThatTheReceiverClosedIsNotUsed() throws Exception {
        TransportTimeouts asking = new TransportTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ZERO);
        try (ApacheTransport careful = new ApacheTransport(asking, InetAddress::getAllByName, SSLContext.getDefault());
                Receiver receiver = Receiver.start((request, out) -> {
                    Receiver.status(200).answer(request, out);
                    out.close();
                })) {
            Endpoint endpoint = Receiver.endpoint(receiver.at("/"));
            assertThat(careful.post(endpoint, Map.of(), BODY)).isEqualTo(OK);
            await().until(() -> receiver.ended() == 1);

            assertThat(careful.post(endpoint, Map.of(), BODY)).isEqualTo(OK);
            assertThat(receiver.connections()).isEqualTo(2);
        }
    }

    @Test
    void anEndpointThatHangsTakesNoConnectionOfAnother() throws Exception {
        CompletableFuture<Receiver> itself = new CompletableFuture<>();
        try (Receiver silent = Receiver.start((request, out) -> itself.join().fallSilent());
                Receiver other = Receiver.start(Receiver.status(200))) {
            itself.complete(silent);
            Endpoint hanging = Receiver.endpoint(silent.at("/"), true, 3);
            List<CompletableFuture<TransportResult>> stuck = IntStream.range(0, 3)
                    .mapToObj(
                            it -> CompletableFuture.supplyAsync(() -> post(hanging), task -> new Thread(task).start()))
                    .toList();
            await().until(() -> silent.requests().size() == 3);

            assertThat(post(other)).isEqualTo(OK);

            assertThat(stuck).noneMatch(CompletableFuture::isDone);
        }
    }

    @Test
    void whatIsClosedPostsNothing() throws Exception {
        try (Receiver receiver = Receiver.start(Receiver.status(200))) {
            transport.close();

            assertThat(post(receiver)).isEqualTo(new TransportResult.None(TransportResult.TransportFailure.CONNECT));
            assertThat(receiver.connections()).isZero();
        }
    }

    @Test
    void closingEndsWhatIsUnderWay() throws Exception {
        CompletableFuture<Receiver> itself = new CompletableFuture<>();
        try (Receiver silent = Receiver.start((request, out) -> itself.join().fallSilent())) {
            itself.complete(silent);
            CompletableFuture<TransportResult> stuck =
                    CompletableFuture.supplyAsync(() -> post(silent), task -> new Thread(task).start());
            await().until(() -> silent.requests().size() == 1);

            transport.close();

            assertThat(stuck.join()).isEqualTo(new TransportResult.None(TransportResult.TransportFailure.NO_ANSWER));
        }
    }
}
