package dev.exactlyonce.sender.http;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which addresses may be called: those that the registries of RFC 6890 do not set aside
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry).
 * An IPv6 address with an IPv4 one inside is called only when that one may be, too.
 */
final class AddressRules {
    /** No webhook receiver is there; clouds serve their metadata, and with it credentials, at some of these. */
    private static final List<AddressRange> NEVER = ranges(
            "0.0.0.0/8", // this network
            "169.254.0.0/16", // link-local, and the metadata of most clouds
            "100.100.100.200/32", // metadata at Alibaba
            "168.63.129.16/32", // the host at Azure
            "192.0.0.192/32", // metadata at Oracle
            "224.0.0.0/4", // multicast
            "240.0.0.0/4", // reserved, and broadcast
            "::/128", // unspecified
            "fd00:ec2::/32", // metadata at Amazon
            "fd20:ce::254/128", // metadata at Google
            "fe80::/10", // link-local
            "ff00::/8"); // multicast

    /** Called only where the endpoint allows it. */
    private static final List<AddressRange> PRIVATE = ranges(
            "10.0.0.0/8", // RFC 1918, as the next two
            "172.16.0.0/12",
            "192.168.0.0/16",
            "100.64.0.0/10", // behind a carrier's NAT
            "127.0.0.0/8", // loopback
            "192.0.0.0/24", // protocol assignments
            "192.0.2.0/24", // documentation, as the next two
            "198.51.100.0/24",
            "203.0.113.0/24",
            "192.88.99.0/24", // what was 6to4's anycast
            "198.18.0.0/15", // benchmarks
            "::1/128", // loopback
            "100::/64", // discarded
            "2001:2::/48", // benchmarks
            "2001:10::/28", // what was ORCHID
            "2001:db8::/32", // documentation, as the next
            "3fff::/20",
            "5f00::/16", // segment routing
            "fc00::/7", // unique local
            "fec0::/10"); // what was site-local

    private AddressRules() {}

    private static List<AddressRange> ranges(String... cidrs) {
        return Stream.of(cidrs).map(AddressRange::of).toList();
    }

    static boolean allow(InetAddress address, boolean allowPrivate) {
        return allow(address.getAddress(), allowPrivate);
    }

    private static boolean allow(byte[] address, boolean allowPrivate) {
        return !isIn(NEVER, address)
                && (allowPrivate || !isIn(PRIVATE, address))
                && EmbeddedIpv4.in(address).stream().allMatch(it -> allow(it, allowPrivate));
    }

    private static boolean isIn(List<AddressRange> ranges, byte[] address) {
        return ranges.stream().anyMatch(it -> it.contains(address));
    }
}
