package dev.exactlyonce.sender.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The addresses that begin with the same bits. Those of IPv4 and of IPv6 never hold one another. Immutable. */
final class AddressRange {
    private final byte[] first;
    private final int bits;

    private AddressRange(byte[] first, int bits) {
        this.first = first;
        this.bits = bits;
    }

    /** @param cidr an address in digits, a slash, and how many bits count */
    static AddressRange of(String cidr) {
        int slash = cidr.indexOf('/');
        try {
            byte[] first = InetAddress.getByName(cidr.substring(0, slash)).getAddress();
            return new AddressRange(first, Integer.parseInt(cidr.substring(slash + 1)));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    boolean contains(byte[] address) {
        if (address.length != first.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit += 8) {
            int mask = bits - bit >= 8 ? 0xff : 0xff00 >> (bits - bit) & 0xff;
            if (((address[bit / 8] ^ first[bit / 8]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
