package dev.exactlyonce.sender.wire;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON so that the same value is always the same bytes. A library decides about separators, escapes and numbers by
 * itself; here they are the contract with the receiver.
 */
public final class JsonWriter {
    static final int DEEPEST = 500;

    /** Python sorts texts by code point; Java's own order is that of UTF-16 and differs beyond U+D7FF. */
    private static final Comparator<String> BY_CODE_POINT = (one, other) -> {
        int[] left = one.codePoints().toArray();
        int[] right = other.codePoints().toArray();
        return Arrays.compare(left, right);
    };

    private static final Map<Character, String> SHORT_ESCAPES =
            Map.of('"', "\\\"", '\\', "\\\\", '\b', "\\b", '\f', "\\f", '\n', "\\n", '\r', "\\r", '\t', "\\t");

    private final boolean python;
    private final StringBuilder out = new StringBuilder();

    private JsonWriter(boolean python) {
        this.python = python;
    }

    /** No blanks, UTF-8 as it is, members in the map's order. */
    public static JsonWriter compact() {
        return new JsonWriter(false);
    }

    /** {@code ", "} and {@code ": "}, ASCII alone, members sorted: {@code json.dumps(…, sort_keys=True)}. */
    public static JsonWriter pythonSorted() {
        return new JsonWriter(true);
    }

    public String write(@Nullable Object value) {
        value(value, 0);
        return out.toString();
    }

    private void value(@Nullable Object value, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("the body is nested deeper than " + DEEPEST);
        }
        if (value == null || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof CharSequence text) {
            string(text.toString());
        } else if (value instanceof Number number) {
            number(number);
        } else if (value instanceof Map<?, ?> map) {
            object(map, depth);
        } else if (value instanceof Iterable<?> items) {
            array(items, depth);
        } else {
            throw new IllegalArgumentException("a body holds a "
                    + value.getClass().getName() + "; allowed: Map, Iterable, CharSequence, Number, Boolean, null");
        }
    }

    private void object(Map<?, ?> map, int depth) {
        out.append('{');
        Iterator<String> names = names(map).iterator();
        while (names.hasNext()) {
            String name = names.next();
            string(name);
            out.append(python ? ": " : ":");
            value(map.get(name), depth + 1);
            separate(names);
        }
        out.append('}');
    }

    private List<String> names(Map<?, ?> map) {
        List<String> names = map.keySet().stream()
                .map(it -> {
                    if (it instanceof String name) {
                        return name;
                    }
                    throw new IllegalArgumentException("an object in the body has a key that is not a String");
                })
                .toList();
        return python ? names.stream().sorted(BY_CODE_POINT).toList() : names;
    }

    private void array(Iterable<?> items, int depth) {
        out.append('[');
        Iterator<?> rest = items.iterator();
        while (rest.hasNext()) {
            value(rest.next(), depth + 1);
            separate(rest);
        }
        out.append(']');
    }

    private void separate(Iterator<?> rest) {
        if (rest.hasNext()) {
            out.append(python ? ", " : ",");
        }
    }

    private void number(Number number) {
        if (number instanceof Double || number instanceof Float) {
            out.append(DecimalText.of(Double.parseDouble(number.toString()), python)); // 0.1f is meant as 0.1
        } else if (number instanceof BigDecimal decimal) {
            out.append(python ? DecimalText.ofExactly(decimal) : decimal.toString());
        } else if (number instanceof Long
                || number instanceof Integer
                || number instanceof Short
                || number instanceof Byte
                || number instanceof BigInteger) {
            out.append(number);
        } else {
            throw new IllegalArgumentException("a body holds a "
                    + number.getClass().getName() + "; allowed: the boxed numbers, BigInteger, BigDecimal");
        }
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            String escape = SHORT_ESCAPES.get(c);
            if (escape != null) {
                out.append(escape);
            } else if (c < ' ' || (python && c > '~')) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                requirePair(text, i);
                out.append(c);
            }
        }
        out.append('"');
    }

    /** UTF-8 has no half of a pair: it would be sent as a question mark. */
    private static void requirePair(String text, int at) {
        char c = text.charAt(at);
        boolean isHalf = Character.isHighSurrogate(c)
                ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
                : Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
        if (isHalf) {
            throw new IllegalArgumentException("a body's text holds half of a surrogate pair");
        }
    }
}
