package dev.exactlyonce.signature;

import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The keys of the certificates that were fetched, by their addresses. A certificate is fetched once, and again when it has
 * expired or the place was needed. What failed is not tried again for a minute; and while {@link #MOST_TRIED} addresses have
 * failed or are being fetched, no other one is, so that requests with invented addresses make the server call PayPal no more
 * often than that, and cost no key that is known. Thread-safe.
 */
final class CertifiedKeys {
    static final Duration FAILURE_KEPT = Duration.ofMinutes(1);
    static final int MOST_TRIED = 16;
    static final int MOST_KNOWN = 16;

    /** Fetches what is at an address. */
    interface Download {
        byte[] get(URI address) throws IOException;
    }

    private record KeyDownload(Instant since, CompletableFuture<Optional<VerifyingKey>> key) {
        boolean isOver(Instant now) {
            return key.isDone() && !now.isBefore(since.plus(FAILURE_KEPT));
        }
    }

    private final Download download;
    private final CertificateTrust trust;
    private final InstantSource clock;
    private final Map<URI, CertificateTrust.Trusted> known = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<URI, KeyDownload> tried = new HashMap<>();

    CertifiedKeys(Download download, CertificateTrust trust, InstantSource clock) {
        this.download = download;
        this.trust = trust;
        this.clock = clock;
    }

    /** Nothing when the certificate cannot be had or is not trusted. Waits while another thread fetches it. */
    Optional<VerifyingKey> find(URI address) {
        Instant now = clock.instant();
        KeyDownload mine = new KeyDownload(now, new CompletableFuture<>());
        KeyDownload attempt;
        synchronized (this) {
            CertificateTrust.Trusted trusted = known.get(address);
            if (trusted != null && trusted.isValid(now)) {
                return Optional.of(trusted.key());
            }
            tried.values().removeIf(it -> it.isOver(now));
            if (!tried.containsKey(address) && tried.size() >= MOST_TRIED) {
                return Optional.empty();
            }
            KeyDownload earlier = tried.putIfAbsent(address, mine);
            attempt = earlier == null ? mine : earlier;
        }
        if (attempt.equals(mine)) {
            fetch(address, mine);
        }
        return attempt.key().join();
    }

    private void fetch(URI address, KeyDownload mine) {
        Optional<VerifyingKey> key = Optional.empty();
        try {
            CertificateTrust.Trusted trusted = trust.key(download.get(address), clock.instant());
            keep(address, trusted);
            key = Optional.of(trusted.key());
        } catch (IOException | GeneralSecurityException failed) {
            // the attempt stays where it is, as a failed one
        } finally {
            mine.key().complete(key); // whatever happens: others may wait for it
        }
    }

    private synchronized void keep(URI address, CertificateTrust.Trusted trusted) {
        known.put(address, trusted);
        if (known.size() > MOST_KNOWN) {
            known.remove(known.keySet().iterator().next()); // the least recently used one
        }
        tried.remove(address);
    }
}
