package dev.exactlyonce;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;

/**
 * A certificate of X.509 that the tests make themselves: encoded by hand (RFC 5280), since a process of keytool takes a
 * second for each.
 *
 * @param chain its own first, its root last
 */
public record TestCertificate(KeyPair keys, List<X509Certificate> chain) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** How it is made: who it is of, and from when for how long it is valid. */
    public record Form(String subject, Instant from, Duration validity, List<byte[]> extensions) {
        public Form(String subject, Instant from, Duration validity) {
            this(subject, from, validity, List.of());
        }

        /** That of an authority. */
        public Form asAuthority() {
            byte[] constraints = der(0x30, der(0x01, new byte[] {(byte) 0xFF}));
            return with(der(0x30, oid("551d13"), der(0x01, new byte[] {(byte) 0xFF}), der(0x04, constraints)));
        }

        public Form ofHost(String name) {
            return alternative(der(0x82, name.getBytes(StandardCharsets.US_ASCII)));
        }

        public Form ofAddress(InetAddress address) {
            return alternative(der(0x87, address.getAddress()));
        }

        private Form alternative(byte[] name) {
            return with(der(0x30, oid("551d11"), der(0x04, der(0x30, name))));
        }

        private Form with(byte[] extension) {
            List<byte[]> all = new ArrayList<>(extensions);
            all.add(extension);
            return new Form(subject, from, validity, all);
        }
    }

    public static TestCertificate selfSigned(String algorithm, Form form) throws GeneralSecurityException {
        KeyPair keys = generate(algorithm);
        return new TestCertificate(keys, List.of(certificate(form, keys, form.subject(), keys)));
    }

    public TestCertificate signs(Form form) throws GeneralSecurityException {
        KeyPair others = generate(keys.getPublic().getAlgorithm());
        String issuer = chain.get(0).getSubjectX500Principal().getName();
        X509Certificate signed = certificate(form, others, issuer, keys);
        return new TestCertificate(
                others, Stream.concat(Stream.of(signed), chain.stream()).toList());
    }

    /** Adds the key with its chain. */
    public void store(KeyStore store, String alias, char[] password) throws GeneralSecurityException {
        store.setKeyEntry(alias, keys.getPrivate(), password, chain.toArray(Certificate[]::new));
    }

    private static KeyPair generate(String algorithm) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(algorithm.equals("EC") ? 256 : 2048);
        return generator.generateKeyPair();
    }

    private static X509Certificate certificate(Form form, KeyPair of, String issuer, KeyPair by)
            throws GeneralSecurityException {
        boolean isRsa = by.getPrivate().getAlgorithm().equals("RSA");
        byte[] algorithm = isRsa ? der(0x30, oid("2a864886f70d01010b"), der(0x05)) : der(0x30, oid("2a8648ce3d040302"));
        byte[] validity = der(0x30, time(form.from()), time(form.from().plus(form.validity())));
        byte[] content = der(
                0x30,
                der(0xA0, der(0x02, new byte[] {2})),
                der(0x02, new BigInteger(64, new SecureRandom()).setBit(62).toByteArray()),
                algorithm,
                new X500Principal(issuer).getEncoded(),
                validity,
                new X500Principal(form.subject()).getEncoded(),
                of.getPublic().getEncoded(),
                form.extensions().isEmpty()
                        ? new byte[0]
                        : der(0xA3, der(0x30, form.extensions().toArray(byte[][]::new))));
        Signature signature = Signature.getInstance(isRsa ? "SHA256withRSA" : "SHA256withECDSA");
        signature.initSign(by.getPrivate());
        signature.update(content);
        byte[] whole = der(0x30, content, algorithm, der(0x03, new byte[1], signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] time(Instant time) {
        return der(0x18, TIME.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] oid(String hex) {
        return der(0x06, HexFormat.of().parseHex(hex));
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        Stream.of(parts).forEach(content::writeBytes);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(tag);
        int length = content.size();
        if (length < 0x80) {
            whole.write(length);
        } else {
            byte[] bytes = BigInteger.valueOf(length).toByteArray();
            int from = bytes[0] == 0 ? 1 : 0;
            whole.write(0x80 | (bytes.length - from));
            whole.write(bytes, from, bytes.length - from);
        }
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }
}
