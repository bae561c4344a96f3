package dev.exactlyonce.signature;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A template of what a sender signs: text, with {@code {body}}, {@code {timestamp}}, {@code {id}}, {@code {method}},
 * {@code {url}}, {@code {header:Name}} or {@code {query:name}} in it. Immutable.
 */
public final class SignedContent {
    static final String ALLOWED =
            "{body}, {timestamp}, {id}, {method}, {url}, {header:Name}, {query:name}, and text around them";

    private static final String BODY = "body";
    private static final Set<String> NAMES = Set.of(BODY, "timestamp", "id", "method", "url");
    static final String HEADER = "header:";
    static final String QUERY = "query:";
    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");
    private static final Pattern QUERY_NAME = Pattern.compile("\\S(.*\\S)?");
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** Text as it is, or the name of what stands in its place. */
    private record Piece(String text, boolean isName) {}

    private final List<Piece> pieces;

    private SignedContent(List<Piece> pieces) {
        this.pieces = pieces;
    }

    /** @throws IllegalArgumentException naming the fault and what is allowed */
    public static SignedContent parse(String template) {
        List<Piece> pieces = new ArrayList<>();
        Matcher places = PLACE.matcher(template);
        int at = 0;
        while (places.find()) {
            pieces.add(new Piece(text(template.substring(at, places.start())), false));
            pieces.add(new Piece(name(places.group(1)), true));
            at = places.end();
        }
        pieces.add(new Piece(text(template.substring(at)), false));
        if (pieces.stream().noneMatch(Piece::isName)) {
            throw new IllegalArgumentException("nothing of the request is signed; allowed: " + ALLOWED);
        }
        return new SignedContent(
                pieces.stream().filter(it -> !it.text().isEmpty()).toList());
    }

    private static String text(String text) {
        if (text.contains("{") || text.contains("}")) {
            throw new IllegalArgumentException("a brace is not closed, or not opened; allowed: " + ALLOWED);
        }
        return text;
    }

    private static String name(String name) {
        if (!NAMES.contains(name) && !isNamed(name, HEADER, HEADER_NAME) && !isNamed(name, QUERY, QUERY_NAME)) {
            throw new IllegalArgumentException("{" + name + "} is unknown; allowed: " + ALLOWED);
        }
        return name;
    }

    private static boolean isNamed(String name, String kind, Pattern allowed) {
        return name.startsWith(kind)
                && allowed.matcher(name.substring(kind.length())).matches();
    }

    /** Whether the template holds {@code {name}}. */
    public boolean holds(String name) {
        return names().contains(name);
    }

    /** What the template holds, without the braces; {@code header:Name} and {@code query:name} as they are written. */
    Set<String> names() {
        return pieces.stream().filter(Piece::isName).map(Piece::text).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The text between {@code {name}} and what follows it; nothing where none does. */
    Optional<String> separatorAfter(String name) {
        for (int i = 0; i + 1 < pieces.size(); i++) {
            if (pieces.get(i).isName() && pieces.get(i).text().equals(name)) {
                return Optional.of(pieces.get(i + 1)).filter(it -> !it.isName()).map(Piece::text);
            }
        }
        return Optional.empty();
    }

    /**
     * Whether characters can move from one value to its neighbour without a change of what is signed: nothing stands between
     * the two, and the first has no certain end. A method and a time have one.
     */
    public boolean canBeCutElsewhere() {
        for (int i = 0; i + 1 < pieces.size(); i++) {
            boolean hasNoEnd = pieces.get(i).isName()
                    && !pieces.get(i).text().equals("timestamp")
                    && !pieces.get(i).text().equals("method");
            if (hasNoEnd && pieces.get(i + 1).isName()) {
                return true;
            }
        }
        return false;
    }

    /**
     * The content's bytes, in pieces.
     *
     * @param values for each name but the body's, what stands in its place
     */
    List<byte[]> of(byte[] body, Map<String, String> values) {
        List<byte[]> content = new ArrayList<>(pieces.size());
        for (Piece piece : pieces) {
            if (!piece.isName()) {
                content.add(piece.text().getBytes(StandardCharsets.UTF_8));
            } else if (piece.text().equals(BODY)) {
                content.add(body);
            } else {
                String value = values.get(piece.text());
                if (value == null) {
                    throw new IllegalStateException("{" + piece.text() + "} has no value");
                }
                // one character a byte, as headers arrive; a query parameter was decoded
                content.add(value.getBytes(
                        piece.text().startsWith(QUERY) ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1));
            }
        }
        return content;
    }
}
