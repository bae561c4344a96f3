package dev.exactlyonce.signature;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A certificate authority, and those whom it certified; the tests' clock is in the time of the certificates. */
final class PayPalAuthority {
    static final char[] PASSWORD = "open-sesame".toCharArray();
    static final String SUBJECT = "CN=messageverificationcerts.paypal.com,O=PayPal";

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /** Made once for all tests: it takes seconds. */
    private static final class Made {
        static final PayPalAuthority ONCE = make();

        private static PayPalAuthority make() {
            try {
                Path folder = Files.createTempDirectory("authority");
                Path file = folder.resolve("authority.p12");
                try {
                    return new PayPalAuthority(file);
                } finally {
                    Files.deleteIfExists(file);
                    Files.delete(folder);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final KeyStore keys;

    static PayPalAuthority get() {
        return Made.ONCE;
    }

    private PayPalAuthority(Path file) {
        make(file, "root", "CN=Root", "2025/01/01", 3650, "-ext", "bc:c=ca:true");
        make(file, "stranger", "CN=Root", "2025/01/01", 3650, "-ext", "bc:c=ca:true");
        make(file, "between", "CN=Between", "2025/01/01", 3650, "-ext", "bc:c=ca:true", "-signer", "root");
        make(file, "paypal", SUBJECT, "2025/12/01", 60, "-signer", "between");
        make(file, "expired", SUBJECT, "2025/12/01", 10, "-signer", "between");
        make(file, "future", SUBJECT, "2026/02/01", 60, "-signer", "between");
        make(file, "of-a-stranger", SUBJECT, "2025/12/01", 60, "-signer", "stranger");
        make(file, "other-subject", "CN=api.paypal.com.evil.example", "2025/12/01", 60, "-signer", "between");
        make(file, "no-name", "O=messageverificationcerts.paypal.com", "2025/12/01", 60, "-signer", "between");
        make(file, "of-a-leaf", SUBJECT, "2025/12/01", 60, "-signer", "other-subject");
        try (InputStream in = Files.newInputStream(file)) {
            keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void make(Path file, String name, String subject, String from, int days, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                subject,
                "-startdate",
                from + " 00:00:00",
                "-validity",
                Integer.toString(days),
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD)));
        command.addAll(Arrays.asList(more));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
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
