package dev.exactlyonce.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.common.Digests;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryKeyTest {
    private static DeliveryKey key(String... parts) {
        return DeliveryKey.of("github", "POST/hooks/{source}", List.of(parts));
    }

    private static String tail(String... parts) {
        return key(parts).value().substring("github:POST/hooks/%7Bsource%7D:".length());
    }

    @Test
    void aKeyIsSourceEndpointAndParts() {
        assertThat(key("acme", "42").value()).isEqualTo("github:POST/hooks/%7Bsource%7D:acme:42");
    }

    @Test
    void unreservedCharactersAndSlashesStayAsTheyAre() {
        assertThat(tail("AZaz09-._~/")).isEqualTo("AZaz09-._~/");
    }

    @Test
    void everyOtherByteIsEscapedInUpperCaseHex() {
        assertThat(tail("a:b%|{} é€\uD83D\uDE00")).isEqualTo("a%3Ab%25%7C%7B%7D%20%C3%A9%E2%82%AC%F0%9F%98%80");
    }

    @Test
    void differentPartsNeverMakeTheSameKey() {
        Set<String> keys = new TreeSet<>();
        List<List<String>> lists = List.of(
                List.of("a:b"),
                List.of("a", "b"),
                List.of("a%3Ab"),
                List.of("a%3ab"),
                List.of("a", "b:"),
                List.of("a:", "b"),
                List.of("a", ":b"),
                List.of("ab"),
                List.of("A", "b"));
        lists.forEach(it -> keys.add(DeliveryKey.of("s", "e", it).value()));
        assertThat(keys).hasSameSizeAs(lists);
    }

    @Test
    void sourceAndEndpointAreEscapedToo() {
        assertThat(DeliveryKey.of("a", "b:c", List.of("d")))
                .isNotEqualTo(DeliveryKey.of("a:b", "c", List.of("d")))
                .isNotEqualTo(DeliveryKey.of("a", "b", List.of("c", "d")));
    }

    @Test
    void aKeyOfTwoHundredCharactersStaysReadableAndALongerOneIsHashed() {
        int left = 200 - "github:POST/hooks/%7Bsource%7D:".length();
        assertThat(key("x".repeat(left)).value()).hasSize(200).endsWith("xxx");
        assertThat(tail("x".repeat(left + 1))).isEqualTo("sha256-" + Digests.sha256Hex("x".repeat(left + 1)));
    }

    @Test
    void longKeysThatDifferOnlyInWhereTheirPartsEndAreDifferent() {
        assertThat(key("x".repeat(300), "y")).isNotEqualTo(key("x".repeat(300) + ":y"));
        assertThat(key("x".repeat(300))).isNotEqualTo(key("x".repeat(301)));
    }

    @Test
    void aPartThatLooksLikeADigestIsHashedSoThatNobodyCanForgeOne() {
        String digest = "sha256-" + Digests.sha256Hex("x".repeat(300));
        assertThat(tail(digest)).isEqualTo("sha256-" + Digests.sha256Hex(digest));
        assertThat(tail("acme", "sha256-1")).isEqualTo("sha256-" + Digests.sha256Hex("acme:sha256-1"));
        assertThat(tail("Sha256-1")).isEqualTo("Sha256-1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                " \u2003 ",
                "secret\n",
                "sec\u0000ret",
                "secret\u0085",
                "secret\uD800",
                "\uDC00secret",
                "\uDC00\uD800"
            })
    void aMalformedPartIsRefusedWithoutBeingShown(String part) {
        assertThat(DeliveryKey.fault(part)).isNotNull();
        assertThatThrownBy(() -> key("fine", part))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a part of the idempotency key ")
                .hasMessageNotContaining("secret");
    }

    @Test
    void aPartMayHaveOneThousandAndTwentyFourCharactersAndNoMore() {
        assertThat(DeliveryKey.fault("é".repeat(1024))).isNull();
        assertThat(DeliveryKey.fault("é".repeat(1025))).isEqualTo("is longer than 1024 characters");
        assertThatThrownBy(() -> key("é".repeat(1025)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("é");
    }

    @Test
    void aKeyNeedsAPart() {
        assertThatThrownBy(() -> key()).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void itsStringIsADigestThatLogsMayShow() {
        assertThat(key("acme").toString())
                .matches("[0-9a-f]{16}")
                .isEqualTo(Digests.sha256Hex(key("acme").value()).substring(0, 16));
    }

    @Test
    void equalKeysAreEqual() {
        assertThat(key("a")).isEqualTo(key("a")).hasSameHashCodeAs(key("a")).isNotEqualTo(key("b"));
    }
}
