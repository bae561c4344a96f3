package dev.exactlyonce.sender.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * The addresses of one endpoint that may be called, fresh for each connection. The client connects to the very addresses
 * that it gets here, so a name that means something else a moment later (DNS rebinding) gains nothing. Addresses in digits
 * come through here, too. Thread-safe.
 */
final class SsrfSafeDnsResolver implements DnsResolver, AutoCloseable {
    private final HostLookup lookup;
    private final boolean allowPrivate;
    private final Duration limit;
    private final ThreadPoolExecutor threads;

    /**
     * @param limit of one lookup: the system's own has no time limit and cannot be interrupted
     * @param most lookups at once, including those whose callers have given up; a further one waits, within this limit,
     *     since a thread is free again only a moment after its caller has the result
     */
    SsrfSafeDnsResolver(HostLookup lookup, boolean allowPrivate, Duration limit, int most) {
        this.lookup = lookup;
        this.allowPrivate = allowPrivate;
        this.limit = limit;
        this.threads = new ThreadPoolExecutor(most, most, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            Thread thread = new Thread(work, "exactly-once-lookup");
            thread.setDaemon(true);
            return thread;
        });
        this.threads.allowCoreThreadTimeOut(true);
    }

    /** @throws AddressRefusedException when there are addresses, but none that may be called */
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] all = lookUp(host);
        if (all.length == 0) {
            throw new UnknownHostException("no address");
        }
        InetAddress[] allowed = Arrays.stream(all)
                .filter(it -> AddressRules.allow(it, allowPrivate))
                .toArray(InetAddress[]::new);
        if (allowed.length == 0) {
            throw new AddressRefusedException();
        }
        return allowed;
    }

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        FutureTask<InetAddress[]> addresses = new FutureTask<>(() -> lookup.addressesOf(host));
        try {
            threads.execute(addresses);
            return addresses.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            throw new UnknownHostException("not resolved");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnknownHostException("interrupted");
        } finally {
            threads.remove(addresses); // one that has not begun must not run for a caller that has gone
        }
    }

    /** Asked for by authentication schemes alone, of which none is used. */
    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
