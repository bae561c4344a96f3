package dev.exactlyonce.source;

import dev.exactlyonce.admission.DeliveryVerifier;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The declared sources. Immutable: a name that is not here does not exist, whatever the configuration says. */
public final class Sources {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    private static final Duration NO_SOURCES_LEASE = Duration.ofMinutes(15);

    private final Map<String, SourceSettings> byName;

    public Sources(Map<String, SourceSettings> byName) {
        this.byName = Map.copyOf(byName);
    }

    /** Whether a source may have this name: {@code [a-z][a-z0-9-]{0,62}}. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    public Optional<SourceSettings> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Whether any sender asks whether it has the right receiver. */
    public boolean anyHasAChallenge() {
        return byName.values().stream().anyMatch(it -> it.challenge().isPresent());
    }

    /** The HTTP methods that senders' challenges are asked with. */
    public Set<String> challengeMethods() {
        return byName.values().stream()
                .flatMap(it -> it.challenge().stream())
                .map(Challenge::method)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether any sender's question for the address is answered. */
    public boolean anyValidatesItsUrl() {
        return byName.values().stream().anyMatch(it -> it.urlValidation() != UrlValidation.NONE);
    }

    /** The sources whose deliveries no signature verifies, in alphabetical order. */
    public Set<String> unsigned() {
        Set<String> unsigned = new TreeSet<>();
        byName.forEach((name, it) -> {
            if (it.policy().verifier() == DeliveryVerifier.NONE) {
                unsigned.add(name);
            }
        });
        return unsigned;
    }

    /** The shortest lease of any source; 15 minutes where there is none. */
    public Duration shortestLease() {
        return leases().min(Comparator.naturalOrder()).orElse(NO_SOURCES_LEASE);
    }

    /** The longest lease of any source; 15 minutes where there is none. */
    public Duration longestLease() {
        return leases().max(Comparator.naturalOrder()).orElse(NO_SOURCES_LEASE);
    }

    /** The longest TTL of any source; zero where there is none. */
    public Duration longestTtl() {
        return byName.values().stream()
                .map(it -> it.policy().ttl())
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private Stream<Duration> leases() {
        return byName.values().stream().map(it -> it.policy().lease());
    }

    /** In alphabetical order. */
    public Set<String> names() {
        return new TreeSet<>(byName.keySet());
    }

    @Override
    public String toString() {
        return names().toString();
    }
}
