package dev.exactlyonce.sender.wire;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes a double with the fewest digits that read back as it, which {@code Double.toString} does not always do before JDK
 * 19 (JDK-4511638).
 */
final class DecimalText {
    /** No double needs more. */
    private static final int MOST_DIGITS = 17;

    private DecimalText() {}

    /**
     * @param python as Python's {@code repr} has it: {@code 1.0}, {@code 1e-05}, {@code 1e+16}
     * @throws IllegalArgumentException for a NaN or an infinity: JSON has none (RFC 8259, section 6)
     */
    static String of(double value, boolean python) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("a body holds a NaN or an infinity, which JSON has not");
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0.0" : python ? "0.0" : "0";
        }
        BigDecimal shortest = shortest(value).stripTrailingZeros();
        return python ? repr(shortest) : shortest.toString();
    }

    /**
     * Of a number that a receiver in Python reads as a float and writes again.
     *
     * @throws IllegalArgumentException when no double is this number: it would come out as another one
     */
    static String ofExactly(BigDecimal value) {
        double nearest = value.doubleValue();
        if (!Double.isFinite(nearest)
                || (nearest != 0 && shortest(nearest).compareTo(value) != 0)
                || (nearest == 0 && value.signum() != 0)) {
            throw new IllegalArgumentException(
                    "a body holds a decimal with more digits than a double has; as a text it is" + " kept whole");
        }
        return of(nearest, true);
    }

    private static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        for (int digits = 1; digits < MOST_DIGITS; digits++) {
            Optional<BigDecimal> found = Stream.of(RoundingMode.FLOOR, RoundingMode.CEILING)
                    .map(rounding(exact, digits))
                    .filter(it -> it.doubleValue() == value)
                    .min(Comparator.comparing(it -> it.subtract(exact).abs()));
            if (found.isPresent()) {
                return found.get();
            }
        }
        return exact.round(new MathContext(MOST_DIGITS, RoundingMode.HALF_EVEN));
    }

    private static java.util.function.Function<RoundingMode, BigDecimal> rounding(BigDecimal exact, int digits) {
        return mode -> exact.round(new MathContext(digits, mode));
    }

    private static String repr(BigDecimal shortest) {
        String digits = shortest.unscaledValue().abs().toString();
        String sign = shortest.signum() < 0 ? "-" : "";
        int exponent = digits.length() - 1 - shortest.scale(); // of the first digit
        if (exponent < -4 || exponent >= 16) {
            String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
            return String.format(
                    Locale.ROOT,
                    "%s%s%se%s%02d",
                    sign,
                    digits.charAt(0),
                    fraction,
                    exponent < 0 ? "-" : "+",
                    Math.abs(exponent));
        }
        String plain = shortest.toPlainString();
        return plain.contains(".") ? plain : plain + ".0";
    }
}
