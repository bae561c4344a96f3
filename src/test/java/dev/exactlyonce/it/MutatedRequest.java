package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * One request as it is written to the wire, a character a byte.
 *
 * @param source the number of the source that it is sent to
 * @param fields the headers, some of them more than once
 */
record MutatedRequest(
        int source,
        Mutations.Kind kind,
        String preset,
        String query,
        List<Map.Entry<String, String>> fields,
        String body) {
    /** Signed over some fields of the body: a change of another one changes nothing that counts. */
    private static final Set<String> OF_FIELDS = Set.of("adyen", "mailgun", "twilio", "mandrill");

    static MutatedRequest of(int source, Mutations.Kind kind, SignedRequest signed) {
        return new MutatedRequest(
                source,
                kind,
                signed.settings().get("preset"),
                signed.query(),
                List.copyOf(signed.headers().entrySet()),
                new String(signed.body().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    }

    int length() {
        return body.length();
    }

    MutatedRequest withBody(String other) {
        return new MutatedRequest(source, kind, preset, query, fields, other);
    }

    MutatedRequest withQuery(String other) {
        return new MutatedRequest(source, kind, preset, other, fields, body);
    }

    private MutatedRequest withFields(List<Map.Entry<String, String>> others) {
        return new MutatedRequest(source, kind, preset, query, others, body);
    }

    MutatedRequest withHeader(String name, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(fields);
        more.add(Map.entry(name, value));
        return withFields(more);
    }

    /** With about one header in this many changed. */
    MutatedRequest withHeaders(Random random, int oneIn, UnaryOperator<String> change) {
        return withFields(fields.stream()
                .map(it -> random.nextInt(oneIn) == 0 ? Map.entry(it.getKey(), change.apply(it.getValue())) : it)
                .toList());
    }

    MutatedRequest repeated(UnaryOperator<String> change, int times) {
        MutatedRequest repeated = this;
        for (Map.Entry<String, String> field : fields) {
            for (int i = 0; i < times; i++) {
                repeated = repeated.withHeader(field.getKey(), change.apply(field.getValue()));
            }
        }
        return repeated;
    }

    /** The same body in chunks of seven bytes. */
    MutatedRequest chunked() {
        StringBuilder chunks = new StringBuilder();
        for (int at = 0; at < body.length(); at += 7) {
            String chunk = body.substring(at, Math.min(body.length(), at + 7));
            chunks.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        return withHeader("Transfer-Encoding", "chunked").withBody(chunks + "0\r\n\r\n");
    }

    /** With nothing that proves who sends. */
    MutatedRequest unsigned() {
        return withFields(List.of()).withQuery("").withBody("{\"id\":\"" + body.hashCode() + "\"}");
    }

    /**
     * Sends it and checks the answer: refused, or where what is signed is as it was a duplicate.
     *
     * @return the answer's status
     */
    int refusedBy(int port, String seed) {
        WireHttp.Answer answer = WireHttp.exchange(port, wire(port));
        if (answer.status() == 200 && !mustBeRefused()) {
            assertThat(answer.body()).as("%s, %s", seed, this).contains("{\"status\":\"duplicate\"}");
        } else {
            assertThat(answer.status()).as("%s, %s", seed, this).isBetween(400, 499);
        }
        return answer.status();
    }

    private boolean mustBeRefused() {
        return switch (kind) {
            case UNSIGNED, OF_ANOTHER_SECRET -> true;
            case BODY, TRUNCATED -> !OF_FIELDS.contains(preset);
            default -> false;
        };
    }

    private String wire(int port) {
        StringBuilder head = new StringBuilder("POST /signatures/hooks/v" + source);
        head.append(query.isEmpty() ? "" : "?" + query).append(" HTTP/1.1\r\n");
        head.append("Host: localhost:").append(port).append("\r\nConnection: close\r\n");
        fields.forEach(it ->
                head.append(it.getKey()).append(": ").append(it.getValue()).append("\r\n"));
        if (fields.stream().noneMatch(it -> it.getKey().equals("Transfer-Encoding"))) {
            head.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        return head + "\r\n" + body;
    }
}
