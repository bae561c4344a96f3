package dev.exactlyonce.source;

import dev.exactlyonce.admission.MalformedQueryException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One place where a part of a key may be: an alternative of a key expression. */
sealed interface ValueSelector {
    Value MISSING = new Missing();

    /** As it is written, for messages. */
    String expression();

    Value in(Message message);

    /** What a place holds. */
    sealed interface Value {}

    record Selected(String text) implements Value {}

    record Missing() implements Value {}

    /** The place is malformed; the reason names it, never its content. */
    record Malformed(String reason) implements Value {}

    String ALLOWED =
            "header:Name, query:name, path:name, form:name, form:name#/pointer, json:/pointer, body or signature, separated by '|'";

    static List<ValueSelector> parseAlternatives(String expression) {
        if (expression.isBlank()) {
            throw new IllegalArgumentException("a key expression is blank; allowed: " + ALLOWED);
        }
        return Stream.of(expression.split("\\|", -1))
                .map(String::strip)
                .map(ValueSelector::parse)
                .toList();
    }

    private static ValueSelector parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0 && !text.equals("body") && !text.equals("signature")) {
            throw invalid(text);
        }
        String kind = colon < 0 ? text : text.substring(0, colon);
        String name = colon < 0 ? "" : text.substring(colon + 1);
        return switch (kind) {
            case "header" -> new HeaderSelector(require(name, HeaderSelector.NAME, text));
            case "query" -> new QuerySelector(require(name, ANY, text));
            case "path" -> new PathSelector(require(name, ANY, text));
            case "form" -> form(require(name, ANY, text), text);
            case "json" -> new JsonSelector(pointer(name, text));
            case "body", "signature" -> {
                if (colon >= 0) {
                    throw invalid(text);
                }
                yield kind.equals("body") ? new BodySelector() : new SignatureSelector();
            }
            default -> throw invalid(text);
        };
    }

    private static ValueSelector form(String name, String expression) {
        int pointer = name.indexOf(FormJsonSelector.POINTER_AFTER, 1);
        return pointer < 0
                ? new FormSelector(name)
                : new FormJsonSelector(
                        new FormSelector(name.substring(0, pointer)), pointer(name.substring(pointer + 1), expression));
    }

    private static String pointer(String text, String expression) {
        return require(text, JsonSelector.POINTER, expression);
    }

    Pattern ANY = Pattern.compile("\\S.*");

    private static String require(String name, Pattern allowed, String expression) {
        if (!allowed.matcher(name).matches()) {
            throw invalid(expression);
        }
        return name;
    }

    private static IllegalArgumentException invalid(String expression) {
        return new IllegalArgumentException("'" + expression + "' is not a key expression; allowed: " + ALLOWED);
    }

    /** One value is a key, none is missing, several contradict each other. */
    private static Value single(List<String> values, ValueSelector place) {
        return switch (values.size()) {
            case 0 -> MISSING;
            case 1 -> new Selected(values.get(0));
            default -> new Malformed("The idempotency key in " + place.expression() + " was sent more than once.");
        };
    }

    record HeaderSelector(String name) implements ValueSelector {
        /** RFC 9110, 5.6.2: a token, here without the bar that separates alternatives. */
        private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`~0-9A-Za-z-]+");

        @Override
        public String expression() {
            return "header:" + name;
        }

        @Override
        public Value in(Message message) {
            return single(message.request().header(name), this);
        }
    }

    record QuerySelector(String name) implements ValueSelector {
        @Override
        public String expression() {
            return "query:" + name;
        }

        @Override
        public Value in(Message message) {
            try {
                return single(message.request().query(name), this);
            } catch (MalformedQueryException malformed) {
                return new Malformed("The query is malformed; looked for " + expression() + ".");
            }
        }
    }

    record PathSelector(String name) implements ValueSelector {
        @Override
        public String expression() {
            return "path:" + name;
        }

        @Override
        public Value in(Message message) {
            return single(message.request().path(name), this);
        }
    }

    record FormSelector(String name) implements ValueSelector {
        @Override
        public String expression() {
            return "form:" + name;
        }

        @Override
        public Value in(Message message) {
            Optional<List<Optional<String>>> values = message.formValues(name);
            if (values.isEmpty()) {
                return new Malformed("The body is not a well-formed form; looked for " + expression() + ".");
            }
            return values.get().stream().allMatch(Optional::isPresent)
                    ? single(values.get().stream().flatMap(Optional::stream).toList(), this)
                    : new Malformed(
                            "The form's field is malformed, or not of its charset; looked for " + expression() + ".");
        }
    }

    /** A place in the JSON that a field of a form holds. */
    record FormJsonSelector(FormSelector field, String pointer) implements ValueSelector {
        /** As a URI has it: RFC 6901, section 6. */
        private static final String POINTER_AFTER = "#/";

        @Override
        public String expression() {
            return field.expression() + "#" + pointer;
        }

        @Override
        public Value in(Message message) {
            Value value = field.in(message);
            return value instanceof Selected found && !found.text().isBlank()
                    ? JsonBody.ofField(message.request(), found.text())
                            .map(it -> it.value(pointer))
                            .orElseGet(() -> new Malformed(
                                    "The form's field is not well-formed JSON; looked for " + expression() + "."))
                    : value;
        }
    }

    record JsonSelector(String pointer) implements ValueSelector {
        private static final Pattern POINTER = Pattern.compile("(/([^~]|~[01])*)?", Pattern.DOTALL);

        @Override
        public String expression() {
            return "json:" + pointer;
        }

        /** A form is no malformed JSON: there is none in it. Some senders call JSON a form, so the type alone decides nothing. */
        @Override
        public Value in(Message message) {
            Optional<JsonBody> document = message.json();
            if (document.isEmpty()) {
                return message.isForm()
                        ? MISSING
                        : new Malformed("The body is not well-formed JSON; looked for " + expression() + ".");
            }
            return document.get().value(pointer);
        }
    }

    record BodySelector() implements ValueSelector {
        @Override
        public String expression() {
            return "body";
        }

        @Override
        public Value in(Message message) {
            return new Selected(message.digest());
        }
    }

    /** The verified signature, as one canonical text. */
    record SignatureSelector() implements ValueSelector {
        @Override
        public String expression() {
            return "signature";
        }

        @Override
        public Value in(Message message) {
            return message.request().signature().<Value>map(Selected::new).orElse(MISSING);
        }
    }
}
