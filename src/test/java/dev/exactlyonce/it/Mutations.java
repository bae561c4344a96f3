package dev.exactlyonce.it;

import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/** Makes requests that no sender signed out of those that one did. Thread-safe: the number alone decides what is made. */
final class Mutations {
    /** What one mutated request changes. */
    enum Kind {
        BODY,
        HEADERS,
        SIGNATURE,
        TIME,
        QUERY,
        REPEATED_HEADERS,
        TRUNCATED,
        ENCODED,
        OF_ANOTHER_SECRET,
        UNSIGNED
    }

    /** Bytes that an HTTP client may write into a header's value. */
    private static final String ODD = ",;=  \t%+/-_.:\"'{}|\\v1ah0ts\u0080\u00e9\u00ff";

    private static final int LONGEST = 4_000;

    private final List<SignedRequest> requests;
    private final List<Integer> valid;
    private final long seed;

    /** @param valid the numbers of the requests that are made into others */
    Mutations(List<SignedRequest> requests, List<Integer> valid, long seed) {
        this.requests = requests;
        this.valid = valid;
        this.seed = seed;
    }

    MutatedRequest make(int number) {
        Random random = new Random(seed + 31L * number);
        int source = valid.get(number % valid.size());
        SignedRequest signed = requests.get(source);
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        boolean isOfTheBody = kind == Kind.BODY || kind == Kind.TRUNCATED;
        boolean isBodySigned = signed.signsTheBody() && !signed.body().isEmpty();
        return of(isOfTheBody && !isBodySigned ? Kind.UNSIGNED : kind, source, signed, random);
    }

    private MutatedRequest of(Kind kind, int source, SignedRequest signed, Random random) {
        MutatedRequest same = MutatedRequest.of(source, kind, signed);
        return switch (kind) {
            case BODY -> same.withBody(differing(same.body(), random));
            case TRUNCATED -> same.withBody(same.body().substring(0, random.nextInt(Math.max(1, same.length()))));
            case HEADERS -> same.withHeaders(random, 2, it -> changed(it, random));
            case SIGNATURE -> same.withHeaders(random, 1, it -> other(it, random));
            case TIME -> same.withHeaders(random, 1, it -> it.replaceAll("[0-9]{4,13}", "" + random.nextInt(1 << 30)));
            case QUERY -> same.withQuery(changed(same.query(), random).replaceAll("[\\s\u0080-\u00ff]", "+"));
            case REPEATED_HEADERS ->
                same.repeated(it -> random.nextBoolean() ? it : changed(it, random), random.nextInt(3) + 1);
            case ENCODED -> random.nextBoolean() ? same.chunked() : same.withHeader("Content-Encoding", "gzip");
            case OF_ANOTHER_SECRET -> MutatedRequest.of(another(signed, random), kind, signed);
            case UNSIGNED -> same.unsigned();
        };
    }

    private int another(SignedRequest signed, Random random) {
        while (true) {
            int source = valid.get(random.nextInt(valid.size()));
            if (!requests.get(source).secret().equals(signed.secret())) {
                return source;
            }
        }
    }

    private static String differing(String body, Random random) {
        UnaryOperator<String> change = random.nextBoolean() ? it -> changed(it, random) : it -> other(it, random);
        String changed = change.apply(body);
        return changed.equals(body) ? body + "x" : changed;
    }

    /** With one character more, less or elsewhere. */
    private static String changed(String text, Random random) {
        int at = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), at + random.nextInt(8));
        return switch (random.nextInt(6)) {
            case 0 -> text.substring(0, at) + text.substring(to);
            case 1 -> text.substring(0, at) + text.substring(at, to).repeat(random.nextInt(5)) + text.substring(at);
            case 2, 3 -> text.substring(0, at) + ODD.charAt(random.nextInt(ODD.length())) + text.substring(at);
            case 4 -> text.substring(at) + text.substring(0, at);
            default -> text.length() < LONGEST / 30 && random.nextInt(10) == 0 ? text.repeat(30) : text + "," + text;
        };
    }

    /** With one letter or digit replaced. */
    private static String other(String text, Random random) {
        if (text.isEmpty()) {
            return "x";
        }
        int at = random.nextInt(text.length());
        char old = text.charAt(at);
        return text.substring(0, at) + (old == 'b' ? 'c' : 'b') + text.substring(at + 1);
    }
}
