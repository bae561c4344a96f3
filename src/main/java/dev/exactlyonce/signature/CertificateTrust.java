package dev.exactlyonce.signature;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.security.auth.x500.X500Principal;

/**
 * Whether a chain of certificates is one sender's. Revocation is not asked for: who answers that would have to be called, too.
 * Thread-safe.
 */
final class CertificateTrust {
    private static final String ALGORITHM = "SHA256withRSA";

    /**
     * A key with a chain that was found to be valid.
     *
     * @param until when the first certificate of the chain expires
     */
    record Trusted(VerifyingKey key, Instant until) {
        boolean isValid(Instant now) {
            return !now.isAfter(until);
        }
    }

    private final Supplier<Set<TrustAnchor>> anchors;
    private final String subjects;
    private final String algorithm;

    /** Of PayPal's certificates. */
    CertificateTrust(Supplier<Set<TrustAnchor>> anchors) {
        this(anchors, ".paypal.com", ALGORITHM);
    }

    /**
     * @param anchors the roots; asked only once there is a chain
     * @param subjects what the common name ends with
     * @param algorithm of the signatures with a certified key
     */
    CertificateTrust(Supplier<Set<TrustAnchor>> anchors, String subjects, String algorithm) {
        this.anchors = anchors;
        this.subjects = subjects;
        this.algorithm = algorithm;
    }

    /**
     * @param file the sender's certificate and then, in any order, those that lead to a root
     * @throws GeneralSecurityException when it is malformed, not valid now, without a known root, or another party's
     */
    Trusted key(byte[] file, Instant now) throws GeneralSecurityException {
        List<X509Certificate> chain =
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(file)).stream()
                        .map(X509Certificate.class::cast)
                        .toList();
        if (chain.isEmpty()) {
            throw new CertificateException("there is no certificate");
        }
        X509Certificate leaf = chain.get(0);
        if (!isTheSenders(leaf.getSubjectX500Principal())) {
            throw new CertificateException("the certificate is another sender's");
        }
        X509CertSelector target = new X509CertSelector();
        target.setCertificate(leaf);
        PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors.get(), target);
        parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(now));
        Instant until = CertPathBuilder.getInstance("PKIX").build(parameters).getCertPath().getCertificates().stream()
                .map(it -> ((X509Certificate) it).getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow(() -> new CertificateException("the certificate is a root itself"));
        return new Trusted(new PublicSignatureKey(algorithm, leaf.getPublicKey()), until);
    }

    /** PayPal's common name is messageverificationcerts.paypal.com. */
    private boolean isTheSenders(X500Principal subject) throws CertificateException {
        try {
            List<String> names = new LdapName(subject.getName())
                    .getRdns().stream()
                            .filter(it -> it.getType().equalsIgnoreCase("CN"))
                            .map(it -> it.getValue().toString().toLowerCase(Locale.ROOT))
                            .toList();
            return !names.isEmpty() && names.stream().allMatch(it -> it.endsWith(subjects));
        } catch (InvalidNameException e) {
            throw new CertificateException("the certificate's subject cannot be read", e);
        }
    }
}
