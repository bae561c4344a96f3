package dev.exactlyonce.signature;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.TrustAnchor;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** The roots that the JDK trusts, whatever the server has made the default of its connections. */
final class JdkTrust {
    private JdkTrust() {}

    static Set<TrustAnchor> anchors() {
        return Arrays.stream(managers().getTrustManagers())
                .filter(X509TrustManager.class::isInstance)
                .flatMap(it -> Arrays.stream(((X509TrustManager) it).getAcceptedIssuers()))
                .map(it -> new TrustAnchor(it, null))
                .collect(Collectors.toSet());
    }

    static SSLContext tls() {
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, managers().getTrustManagers(), null);
            return tls;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no TLS", e);
        }
    }

    private static TrustManagerFactory managers() {
        try {
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init((KeyStore) null); // which is the JDK's own
            return managers;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no roots to trust", e);
        }
    }
}
