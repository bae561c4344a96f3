package dev.exactlyonce.sender.http;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
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

    /** @param name whose it is, as keytool writes it: {@code dns:localhost} */
    public static Certificate of(String name) throws Exception {
        Path folder = Files.createTempDirectory("certificate");
        Path file = folder.resolve("keys.p12");
        try {
            make(file, name);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            return new Certificate(keys);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static void make(Path file, String name) throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-alias",
                "receiver",
                "-keyalg",
                "EC",
                "-dname",
                "CN=Receiver",
                "-ext",
                "SAN=" + name,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(said);
        }
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
