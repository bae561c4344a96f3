package dev.exactlyonce.common;

import java.util.Optional;

/** Parses whole numbers of ASCII digits: the other notations that {@link Integer#parseInt} accepts are usually mistakes. */
public final class WholeNumbers {
    private WholeNumbers() {}

    /** The number, when the text is one from {@code least} to {@code most}. */
    public static Optional<Integer> parse(String text, int least, int most) {
        return Optional.of(text)
                .filter(it -> it.matches("[0-9]{1,10}"))
                .map(Long::parseLong)
                .filter(it -> it >= least && it <= most)
                .map(Long::intValue);
    }
}
