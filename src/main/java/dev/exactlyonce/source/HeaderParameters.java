package dev.exactlyonce.source;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A header's value with parameters, as {@code Content-Type} and {@code Content-Disposition} have them: RFC 9110, section
 * 5.6.6. What follows a malformed or repeated parameter is not read.
 *
 * @param value what stands before the parameters, in lower case
 * @param parameters by their names in lower case
 */
record HeaderParameters(String value, Map<String, String> parameters) {
    /** Reads one parameter after the other, in one pass. */
    private static final class Scanner {
        private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~";

        private final String text;
        private int at;

        Scanner(String text, int from) {
            this.text = text;
            this.at = from;
        }

        /** Whether this character is next; it is passed over then. */
        boolean passes(char c) {
            boolean isNext = at < text.length() && text.charAt(at) == c;
            at += isNext ? 1 : 0;
            return isNext;
        }

        void passBlanks() {
            while (passes(' ') || passes('\t')) {
                // nothing else
            }
        }

        /** Empty when there is none. */
        String token() {
            int from = at;
            while (at < text.length() && isTokenCharacter(text.charAt(at))) {
                at++;
            }
            return text.substring(from, at);
        }

        private static boolean isTokenCharacter(char c) {
            return (c >= '0' && c <= '9')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= 'a' && c <= 'z')
                    || TOKEN_SIGNS.indexOf(c) >= 0;
        }

        /** After its first quotation mark; nothing when there is no last one. */
        Optional<String> quoted() {
            StringBuilder unescaped = new StringBuilder();
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == '"') {
                    return Optional.of(unescaped.toString());
                }
                boolean isEscape = c == '\\' && at < text.length();
                unescaped.append(isEscape ? text.charAt(at++) : c);
            }
            return Optional.empty();
        }
    }

    static HeaderParameters parse(String header) {
        int end = header.indexOf(';');
        String value = end < 0 ? header : header.substring(0, end);
        return new HeaderParameters(
                value.strip().toLowerCase(Locale.ROOT), end < 0 ? Map.of() : parameters(new Scanner(header, end)));
    }

    private static Map<String, String> parameters(Scanner header) {
        Map<String, String> parameters = new LinkedHashMap<>();
        while (header.passes(';')) {
            header.passBlanks();
            String name = header.token().toLowerCase(Locale.ROOT);
            if (!name.isEmpty()) {
                Optional<String> text = header.passes('=') ? text(header) : Optional.empty();
                if (text.isEmpty() || parameters.putIfAbsent(name, text.get()) != null) {
                    return parameters;
                }
                header.passBlanks();
            }
        }
        return parameters;
    }

    private static Optional<String> text(Scanner header) {
        return header.passes('"')
                ? header.quoted()
                : Optional.of(header.token()).filter(it -> !it.isEmpty());
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /** What the parameter charset names, or UTF-8 where that is nothing that is known. */
    Charset charset() {
        try {
            return parameter("charset").map(Charset::forName).orElse(StandardCharsets.UTF_8);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            return StandardCharsets.UTF_8;
        }
    }
}
