package dev.exactlyonce.sender;

import dev.exactlyonce.sender.wire.Signer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A receiver of events: its URL, its secrets, and how often an event is attempted. Immutable.
 *
 * <pre>{@code
 * Endpoint crm = Endpoint.builder("crm", URI.create("https://crm.example/hooks"))
 *         .secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
 *         .budget(new RetryBudget(List.of(Duration.ofSeconds(1)), 0.1, Duration.ofMinutes(1)))
 *         .build();
 * }</pre>
 *
 * All values are checked together by {@link Builder#build}. Two endpoints are equal only when they are the same object.
 *
 * @since 0.1.0
 */
public final class Endpoint {
    public static final int DEFAULT_MAX_BODY_SIZE = 1 << 20;
    public static final int LARGEST_BODY = 16 << 20;
    public static final int DEFAULT_CONCURRENCY = 8;
    public static final int MOST_CONCURRENCY = 64;

    /** Until the connection is open. */
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

    private final String name;
    private final URI url;
    private final Signer signer;
    private final BodyCodec codec;
    private final RetryBudget budget;
    private final Guarantee guarantee;
    private final BreakerPolicy breaker;
    private final boolean allowHttp;
    private final boolean allowPrivate;
    private final int maxBodySize;
    private final int concurrency;

    private Endpoint(Builder builder) {
        this.name = builder.name;
        this.url = builder.url;
        this.signer = new Signer(builder.secrets, builder.signingKey);
        this.codec = builder.codec;
        this.budget = builder.budget;
        this.guarantee = builder.guarantee;
        this.breaker = builder.breaker;
        this.allowHttp = builder.allowHttp;
        this.allowPrivate = builder.allowPrivate;
        this.maxBodySize = builder.maxBodySize;
        this.concurrency = builder.concurrency;
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

    /**
     * Starts an endpoint; it needs a {@link Builder#secret secret}, and everything else has a default.
     *
     * @param name {@code [a-z][a-z0-9-]{0,62}}
     * @param url absolute, {@code https}; {@code http} at localhost, or with {@link Builder#allowHttp}; ASCII, no user, no
     *     fragment; a host with an underscore with {@code http} alone
     */
    public static Builder builder(String name, URI url) {
        return new Builder(name, url);
    }

    public String name() {
        return name;
    }

    public URI url() {
        return url;
    }

    public BodyCodec codec() {
        return codec;
    }

    public RetryBudget budget() {
        return budget;
    }

    public Guarantee guarantee() {
        return guarantee;
    }

    public BreakerPolicy breaker() {
        return breaker;
    }

    public boolean allowHttp() {
        return allowHttp;
    }

    public boolean allowPrivate() {
        return allowPrivate;
    }

    public int maxBodySize() {
        return maxBodySize;
    }

    public int concurrency() {
        return concurrency;
    }

    /** The headers that name and sign one attempt: {@code Idempotency-Key} and the signatures, in lower case. */
    public Map<String, List<String>> signedHeaders(EventKey key, byte[] body, Instant now) {
        return signer.headers(key.value(), body, now);
    }

    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * Whether events could ever be sent there.
     *
     * @throws IllegalArgumentException that names the fault without the URL, which may contain a token
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

    /** How many attempts an event gets at most. */
    public int mostAttempts() {
        return guarantee == Guarantee.AT_MOST_ONCE ? 1 : budget.delays().size() + 1;
    }

    /** Without the URL, which may hold a token, and without keys. */
    @Override
    public String toString() {
        return "endpoint " + name;
    }

    /** Collects an endpoint's settings. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private final URI url;
        private List<String> secrets = List.of();
        private Optional<String> signingKey = Optional.empty();
        private BodyCodec codec = BodyCodec.JSON;
        private RetryBudget budget = RetryBudget.DEFAULT;
        private Guarantee guarantee = Guarantee.AT_LEAST_ONCE;
        private BreakerPolicy breaker = BreakerPolicy.FAILURES;
        private boolean allowHttp;
        private boolean allowPrivate;
        private int maxBodySize = DEFAULT_MAX_BODY_SIZE;
        private int concurrency = DEFAULT_CONCURRENCY;

        private Builder(String name, URI url) {
            this.name = name;
            this.url = url;
        }

        /** {@code whsec_} and Base64, or any text of at least 16 characters. */
        public Builder secret(String current) {
            return secrets(List.of(current));
        }

        /** The current secret, then the previous one while the receiver still accepts both. */
        public Builder secrets(List<String> currentFirst) {
            this.secrets = List.copyOf(currentFirst);
            return this;
        }

        /** {@code whsk_} and the Base64 of an Ed25519 seed, for {@code v1a} signatures; default: none. */
        public Builder signingKey(String key) {
            this.signingKey = Optional.of(key);
            return this;
        }

        /** Default: {@link BodyCodec#JSON}. */
        public Builder codec(BodyCodec it) {
            this.codec = it;
            return this;
        }

        /** Default: {@link RetryBudget#DEFAULT}. */
        public Builder budget(RetryBudget it) {
            this.budget = it;
            return this;
        }

        /** Default: {@link Guarantee#AT_LEAST_ONCE}. */
        public Builder guarantee(Guarantee it) {
            this.guarantee = it;
            return this;
        }

        /** Default: {@link BreakerPolicy#FAILURES}. */
        public Builder breaker(BreakerPolicy it) {
            this.breaker = it;
            return this;
        }

        /** Whether {@code http} may leave this machine; default: no. */
        public Builder allowHttp(boolean is) {
            this.allowHttp = is;
            return this;
        }

        /**
         * Whether private and loopback addresses may be called; default: no. Link-local addresses, where clouds keep their
         * metadata, are never called.
         */
        public Builder allowPrivate(boolean is) {
            this.allowPrivate = is;
            return this;
        }

        /** Bytes, 0 to 16 MiB; default: 1 MiB. */
        public Builder maxBodySize(int bytes) {
            this.maxBodySize = bytes;
            return this;
        }

        /** How many attempts this replica makes at once, 1 to 64; default: 8. */
        public Builder concurrency(int attempts) {
            this.concurrency = attempts;
            return this;
        }

        /** @throws IllegalArgumentException that names the fault and what is allowed, and shows neither URL nor secret */
        public Endpoint build() {
            return new Endpoint(this);
        }
    }
}
