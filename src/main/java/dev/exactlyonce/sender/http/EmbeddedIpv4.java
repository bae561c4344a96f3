package dev.exactlyonce.sender.http;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** IPv4 addresses inside of IPv6 ones: a gateway on the way takes them out again, and calls them. */
final class EmbeddedIpv4 {
    /** ::ffff:0:0/96, RFC 4291, section 2.5.5.2. */
    private static final byte[] MAPPED = prefix("00000000000000000000ffff");

    /** ::ffff:0:0:0/96, RFC 2765, section 2.1. */
    private static final byte[] TRANSLATED = prefix("0000000000000000ffff0000");

    /** ::/96, RFC 4291, section 2.5.5.1. */
    private static final byte[] COMPATIBLE = prefix("000000000000000000000000");

    /** 64:ff9b::/96, RFC 6052, section 2.1. */
    private static final byte[] NAT64 = prefix("0064ff9b0000000000000000");

    /** 64:ff9b:1::/48, RFC 8215: a network's own prefixes, in any of RFC 6052's lengths. */
    private static final byte[] OWN_NAT64 = prefix("0064ff9b0001");

    /** 2002::/16, RFC 3056, section 2. */
    private static final byte[] SIX_TO_FOUR = prefix("2002");

    /** 2001::/32, RFC 4380, section 4: the client's address, with every bit turned. */
    private static final byte[] TEREDO = prefix("20010000");

    private EmbeddedIpv4() {}

    private static byte[] prefix(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    /** None in an IPv4 address, and none in {@code ::} and {@code ::1}; several where the form is ambiguous. */
    static List<byte[]> in(byte[] address) {
        if (address.length != 16 || isUnspecifiedOrLoopback(address)) {
            return List.of();
        }
        if (Stream.of(MAPPED, TRANSLATED, COMPATIBLE, NAT64).anyMatch(it -> begins(address, it))) {
            return List.of(bytes(address, 12, 13, 14, 15));
        }
        if (begins(address, OWN_NAT64)) {
            return ownNat64(address);
        }
        if (begins(address, SIX_TO_FOUR)) {
            return List.of(bytes(address, 2, 3, 4, 5));
        }
        if (begins(address, TEREDO)) {
            byte[] client = bytes(address, 12, 13, 14, 15);
            for (int i = 0; i < client.length; i++) {
                client[i] = (byte) ~client[i];
            }
            return List.of(client);
        }
        return List.of();
    }

    /** RFC 6052, section 2.2, with a prefix of 48, 56, 64 and 96 bits; byte 8 is always zero. */
    private static List<byte[]> ownNat64(byte[] address) {
        List<byte[]> all = List.of(
                bytes(address, 6, 7, 9, 10),
                bytes(address, 7, 9, 10, 11),
                bytes(address, 9, 10, 11, 12),
                bytes(address, 12, 13, 14, 15));
        // A shorter prefix leaves zeros behind the address, a longer one may have them before it.
        List<byte[]> held = all.stream().filter(it -> it[0] != 0).toList();
        return held.isEmpty() ? all : held;
    }

    private static boolean begins(byte[] address, byte[] prefix) {
        return Arrays.equals(address, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static boolean isUnspecifiedOrLoopback(byte[] address) {
        return begins(address, new byte[15]) && (address[15] & 0xfe) == 0;
    }

    private static byte[] bytes(byte[] address, int... places) {
        byte[] some = new byte[places.length];
        for (int i = 0; i < places.length; i++) {
            some[i] = address[places[i]];
        }
        return some;
    }
}
