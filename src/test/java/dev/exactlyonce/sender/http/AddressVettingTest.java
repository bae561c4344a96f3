package dev.exactlyonce.sender.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.spi.TransportResult;
import dev.exactlyonce.sender.spi.TransportResult.TransportFailure;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is called is what was vetted. */
@Timeout(60)
class AddressVettingTest {
    private static final TransportResult REFUSED = new TransportResult.None(TransportFailure.ADDRESS_REFUSED);
    private static final Duration LONG = Duration.ofSeconds(50);

    private final Receiver receiver = Receiver.start(Receiver.status(200));

    @AfterEach
    void close() throws Exception {
        receiver.close();
    }

    private static ApacheTransport transport(HostLookup lookup) throws Exception {
        return new ApacheTransport(new TransportTimeouts(LONG, LONG, Duration.ZERO), lookup, SSLContext.getDefault());
    }

    private static TransportResult post(ApacheTransport transport, Endpoint endpoint) {
        return transport.post(endpoint, Map.of(), new byte[] {1});
    }

    private static InetAddress address(String digits) {
        try {
            return InetAddress.getByName(digits);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private Endpoint example(boolean allowPrivate) {
        return Receiver.endpoint(URI.create("http://hooks.example.com:" + receiver.port() + "/"), allowPrivate, 8);
    }

    @Test
    void thisMachineIsNotCalledUnlessThatIsAllowed() throws Exception {
        try (ApacheTransport transport = transport(InetAddress::getAllByName)) {
            assertThat(post(transport, Receiver.endpoint(receiver.at("/"), false, 8)))
                    .isEqualTo(REFUSED);
            assertThat(receiver.connections()).isZero();

            assertThat(post(transport, Receiver.endpoint(receiver.at("/"), true, 8)))
                    .isEqualTo(new TransportResult.Status(200, Optional.empty()));
        }
    }

    @Test
    void aConnectionThatAnotherEndpointMayMakeIsNotBorrowed() throws Exception {
        try (ApacheTransport transport = transport(InetAddress::getAllByName)) {
            assertThat(post(transport, Receiver.endpoint(receiver.at("/"), true, 8)))
                    .isInstanceOf(TransportResult.Status.class);

            assertThat(post(transport, Receiver.endpoint(receiver.at("/"), false, 8)))
                    .isEqualTo(REFUSED);
        }
    }

    /** Linux takes 0.0.0.0 for this machine: had it been called, the receiver would have answered. */
    @Test
    void ofSeveralAddressesARefusedOneIsNotCalledAlthoughTheOthersFail() throws Exception {
        InetAddress[] both = {address("127.0.0.2"), address("0.0.0.0")};
        try (ApacheTransport transport = transport(host -> both)) {
            assertThat(post(transport, example(true))).isEqualTo(new TransportResult.None(TransportFailure.CONNECT));
            assertThat(receiver.connections()).isZero();
        }
    }

    @Test
    void ofSeveralAddressesTheAllowedOnesAreLeftInTheirOrder() throws Exception {
        HostLookup several = host -> new InetAddress[] {
            address("10.0.0.1"), address("8.8.4.4"), address("169.254.169.254"), address("8.8.8.8"), address("::1")
        };
        try (SsrfSafeDnsResolver vetted = new SsrfSafeDnsResolver(several, false, LONG, 1)) {
            assertThat(vetted.resolve("hooks.example.com")).containsExactly(address("8.8.4.4"), address("8.8.8.8"));
        }
    }

    @Test
    void aNameThatMeansSomethingElseTheSecondTimeIsAskedForOnce() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        HostLookup rebinding =
                host -> new InetAddress[] {address(lookups.getAndIncrement() == 0 ? "127.0.0.1" : "169.254.169.254")};
        try (ApacheTransport transport = transport(rebinding)) {
            assertThat(post(transport, example(true))).isEqualTo(new TransportResult.Status(200, Optional.empty()));
            assertThat(lookups).hasValue(1);
        }
    }

    @Test
    void aNameThatCameToMeanARefusedAddressIsNotCalledAnyMore() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        HostLookup rebinding =
                host -> new InetAddress[] {address(lookups.getAndIncrement() == 0 ? "127.0.0.1" : "169.254.169.254")};
        try (Receiver closing = Receiver.start(Receiver.status(200, "Connection: close"));
                ApacheTransport transport = transport(rebinding)) {
            Endpoint endpoint =
                    Receiver.endpoint(URI.create("http://hooks.example.com:" + closing.port() + "/"), true, 8);
            assertThat(post(transport, endpoint)).isInstanceOf(TransportResult.Status.class);

            assertThat(post(transport, endpoint)).isEqualTo(REFUSED);
        }
    }

    @Test
    void aLookupRightAfterTheLastOneIsNotRefusedForWantOfAThread() throws Exception {
        InetAddress[] found = {address("127.0.0.1")};
        try (SsrfSafeDnsResolver addresses = new SsrfSafeDnsResolver(host -> found, true, LONG, 1)) {
            for (int i = 0; i < 20_000; i++) {
                assertThat(addresses.resolve("receiver.test")).isEqualTo(found);
            }
        }
    }

    @Test
    void aNameWithoutAddressesIsDns() throws Exception {
        try (ApacheTransport transport = transport(host -> new InetAddress[0])) {
            assertThat(post(transport, example(true))).isEqualTo(new TransportResult.None(TransportFailure.DNS));
        }
    }

    /** As containers' networks name them, and as DNS allows them. */
    @ParameterizedTest
    @ValueSource(strings = {"http://my_hooks:%d/", "HTTP://hooks.example.com:%d/", "http://my_hooks.example.com.:%d/"})
    void unusualWritingsOfAServerAreCalledAndVettedAsAnyOther(String url) throws Exception {
        URI hooks = URI.create(String.format(url, receiver.port()));
        try (ApacheTransport transport = transport(host -> new InetAddress[] {address("127.0.0.1")})) {
            assertThat(post(transport, Receiver.endpoint(hooks, false, 8))).isEqualTo(REFUSED);
            assertThat(receiver.connections()).isZero();

            assertThat(post(transport, Receiver.endpoint(hooks, true, 8)))
                    .isEqualTo(new TransportResult.Status(200, Optional.empty()));
            assertThat(receiver.requests().get(0).headers()).contains("Host: " + hooks.getRawAuthority());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.1",
                "2130706433",
                "0",
                "[::1]",
                "[0:0:0:0:0:0:0:1]",
                "[::ffff:127.0.0.1]",
                "[::ffff:7f00:1]",
                "[::127.0.0.1]",
                "[64:ff9b::7f00:1]",
                "[2002:7f00:1::]",
                "[::]",
                "[fe80::1]",
                "localhost",
                "LOCALHOST"
            })
    void noSpellingOfThisMachineIsCalled(String host) throws Exception {
        URI url = URI.create("http://" + host + ":" + receiver.port() + "/");
        if (url.getHost() == null) {
            assertThatThrownBy(() -> Receiver.endpoint(url, false, 8)).isInstanceOf(IllegalArgumentException.class);
        } else {
            try (ApacheTransport transport = transport(InetAddress::getAllByName)) {
                assertThat(post(transport, Receiver.endpoint(url, false, 8))).isEqualTo(REFUSED);
            }
        }
        try (SsrfSafeDnsResolver vetted = new SsrfSafeDnsResolver(InetAddress::getAllByName, false, LONG, 1)) {
            assertThatThrownBy(() -> vetted.resolve(host)).isInstanceOf(AddressRefusedException.class);
        }
        assertThat(receiver.connections()).isZero();
    }

    /** Whether they are addresses depends on the JDK, and on what the system's own lookup makes of them. */
    @ParameterizedTest
    @ValueSource(strings = {"0x7f000001", "0x7f.1", "017700000001", "0x7f.0x0.0x0.0x1", "localhost."})
    void noSpellingThatSomeUnderstandIsCalledEither(String host) throws Exception {
        try (SsrfSafeDnsResolver vetted = new SsrfSafeDnsResolver(InetAddress::getAllByName, false, LONG, 1)) {
            assertThatThrownBy(() -> vetted.resolve(host)).isInstanceOf(UnknownHostException.class);
        }
        URI url = URI.create("http://" + host + ":" + receiver.port() + "/");
        if (url.getHost() != null) {
            try (ApacheTransport transport = transport(InetAddress::getAllByName)) {
                assertThat(post(transport, Receiver.endpoint(url, false, 8)))
                        .isIn(REFUSED, new TransportResult.None(TransportFailure.DNS));
            }
        }
        assertThat(receiver.connections()).isZero();
    }

    @Test
    void whatIsThrownTellsNeitherNameNorAddress() {
        try (SsrfSafeDnsResolver vetted = new SsrfSafeDnsResolver(InetAddress::getAllByName, false, LONG, 1)) {
            assertThatThrownBy(() -> vetted.resolve("127.0.0.1")).hasMessage("no address that may be called");
            assertThatThrownBy(() -> vetted.resolve("nowhere.invalid"))
                    .hasMessage("not resolved")
                    .hasNoCause();
        }
    }
}
