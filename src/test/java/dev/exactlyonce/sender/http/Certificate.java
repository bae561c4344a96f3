package dev.exactlyonce.sender.http;

import dev.exactlyonce.TestCertificate;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate that a client trusts only if a test configures it. */
public final class Certificate {
    private static final String PASSWORD = "open-sesame";

    private final KeyStore keys;

    private Certificate(KeyStore keys) {
        this.keys = keys;
    }

    /** @param host whose it is */
    public static Certificate of(String host) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        TestCertificate.selfSigned(
                        "EC", new TestCertificate.Form("CN=Receiver", yesterday, Duration.ofDays(3)).ofHost(host))
                .store(keys, "receiver", PASSWORD.toCharArray());
        return new Certificate(keys);
    }

    /** Shows it, and trusts it. */
    SSLContext tls() throws Exception {
        KeyManagerFactory shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        shown.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(shown.getKeyManagers(), trusted.getTrustManagers(), null);
        return tls;
    }

    /** A receiver that shows it. */
    public Receiver receiver(Receiver.Script script) throws Exception {
        return Receiver.start(tls().getServerSocketFactory(), script);
    }
}
