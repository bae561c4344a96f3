package dev.exactlyonce.sender;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Where events are sent, and how. Checked as a whole when it is made.
 *
 * @param name {@code [a-z][a-z0-9-]{0,62}}
 * @param url absolute, {@code https}; {@code http} at localhost, or with {@code allowHttp}; ASCII, no user, no fragment; a
 *     host with an underscore with {@code http} alone
 * @param allowHttp whether {@code http} may leave this machine
 * @param allowPrivate whether private and loopback addresses may be called; link-local ones, where clouds keep their
 *     metadata, never are
 * @param maxBodySize bytes, 0 to 16 MiB
 * @param concurrency how many attempts this replica makes at once, 1 to 64
 */
public record Endpoint(
        String name,
        URI url,
        Signer signer,
        BodyCodec codec,
        RetryBudget budget,
        Guarantee guarantee,
        BreakerPolicy breaker,
        boolean allowHttp,
        boolean allowPrivate,
        int maxBodySize,
        int concurrency) {
    public static final int DEFAULT_MAX_BODY_SIZE = 1 << 20;
    public static final int LARGEST_BODY = 16 << 20;
    public static final int DEFAULT_CONCURRENCY = 8;
    public static final int MOST_CONCURRENCY = 64;

    /** Until the connection stands. */
    public static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);

    /** From the start of an attempt to the end of its answer. */
    public static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    /** What may happen to an event whose attempt fails. */
    public enum Guarantee {
        /** It is tried again within the budget, then dead-lettered; never lost. */
        AT_LEAST_ONCE,
        /** One attempt and no dead letter: for events that may be lost. */
        AT_MOST_ONCE
    }

    /** When the circuit breaker opens. */
    public enum BreakerPolicy {
        /** After 10 failed attempts in a row; open for 300 s. */
        FAILURES,
        /** More than 10 dead letters a second over 60 s; open for 5 min. */
        DLQ_RATE,
        /** Never. */
        NONE
    }

    /** @throws IllegalArgumentException that tells the fault and what is allowed, and shows neither URL nor secret */
    public Endpoint {
        Objects.requireNonNull(signer);
        if (!isName(name)) {
            throw new IllegalArgumentException("an endpoint's name is [a-z][a-z0-9-]{0,62}");
        }
        requireUsable(url, allowHttp);
        if (maxBodySize < 0 || maxBodySize > LARGEST_BODY) {
            throw new IllegalArgumentException("max-body-size is 0 to " + LARGEST_BODY + ", was " + maxBodySize);
        }
        if (concurrency < 1 || concurrency > MOST_CONCURRENCY) {
            throw new IllegalArgumentException("concurrency is 1 to " + MOST_CONCURRENCY + ", was " + concurrency);
        }
    }

    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * Whether events could ever be sent there.
     *
     * @throws IllegalArgumentException that tells the fault without the URL, which may hold a token
     */
    public static void requireUsable(URI url, boolean allowHttp) {
        EndpointUrl.of(url, allowHttp);
    }

    /** {@code http} or {@code https}. */
    public String scheme() {
        return EndpointUrl.of(url, allowHttp).scheme();
    }

    /** The name or address of the URL, an IPv6 one in brackets. */
    public String host() {
        return EndpointUrl.of(url, allowHttp).host();
    }

    /** Of the URL; -1 for the scheme's own. */
    public int port() {
        return EndpointUrl.of(url, allowHttp).port();
    }

    /** How often an event is tried at most. */
    int mostAttempts() {
        return guarantee == Guarantee.AT_MOST_ONCE ? 1 : budget.delays().size() + 1;
    }

    /** Without the URL, which may hold a token, and without keys. */
    @Override
    public String toString() {
        return "endpoint " + name;
    }
}
