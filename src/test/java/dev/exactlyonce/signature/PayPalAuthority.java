package dev.exactlyonce.signature;

import dev.exactlyonce.TestCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.stream.Collectors;

/** A certificate authority, and those whom it certified; the tests' clock is in the time of the certificates. */
final class PayPalAuthority {
    static final char[] PASSWORD = "open-sesame".toCharArray();
    static final String SUBJECT = "CN=messageverificationcerts.paypal.com,O=PayPal";

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /** Made once for all tests. */
    private static final class Made {
        static final PayPalAuthority ONCE = new PayPalAuthority();
    }

    private final KeyStore keys;

    static PayPalAuthority get() {
        return Made.ONCE;
    }

    private PayPalAuthority() {
        try {
            keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            TestCertificate root = TestCertificate.selfSigned("RSA", authority("CN=Root"));
            TestCertificate stranger = TestCertificate.selfSigned("RSA", authority("CN=Root"));
            TestCertificate between = root.signs(authority("CN=Between"));
            root.store(keys, "root", PASSWORD);
            stranger.store(keys, "stranger", PASSWORD);
            between.store(keys, "between", PASSWORD);
            between.signs(leaf(SUBJECT, "2025-12-01", 60)).store(keys, "paypal", PASSWORD);
            between.signs(leaf(SUBJECT, "2025-12-01", 10)).store(keys, "expired", PASSWORD);
            between.signs(leaf(SUBJECT, "2026-02-01", 60)).store(keys, "future", PASSWORD);
            stranger.signs(leaf(SUBJECT, "2025-12-01", 60)).store(keys, "of-a-stranger", PASSWORD);
            TestCertificate other = between.signs(leaf("CN=api.paypal.com.evil.example", "2025-12-01", 60));
            other.store(keys, "other-subject", PASSWORD);
            between.signs(leaf("O=messageverificationcerts.paypal.com", "2025-12-01", 60))
                    .store(keys, "no-name", PASSWORD);
            other.signs(leaf(SUBJECT, "2025-12-01", 60)).store(keys, "of-a-leaf", PASSWORD);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TestCertificate.Form authority(String name) {
        return leaf(name, "2025-01-01", 3650).asAuthority();
    }

    private static TestCertificate.Form leaf(String name, String from, int days) {
        return new TestCertificate.Form(name, Instant.parse(from + "T00:00:00Z"), Duration.ofDays(days));
    }

    KeyStore keys() {
        return keys;
    }

    Set<TrustAnchor> anchors() {
        try {
            return Set.of(new TrustAnchor((X509Certificate) keys.getCertificate("root"), null));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A certificate and those between it and its root, as PayPal's file has them. */
    byte[] chain(String name) {
        try {
            Certificate[] chain = keys.getCertificateChain(name);
            return Arrays.stream(chain)
                    .limit(chain.length - 1)
                    .map(PayPalAuthority::pem)
                    .collect(Collectors.joining())
                    .getBytes(StandardCharsets.US_ASCII);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(Certificate certificate) {
        try {
            return "-----BEGIN CERTIFICATE-----\n" + LINES.encodeToString(certificate.getEncoded())
                    + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** In Base64. */
    String sign(String name, String content) {
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign((PrivateKey) keys.getKey(name, PASSWORD));
            signature.update(content.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
