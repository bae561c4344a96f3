package dev.exactlyonce.sender.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressRulesTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        // the first and the last of each range, and their neighbours
        "0.0.0.0, never",
        "0.255.255.255, never",
        "1.0.0.0, always",
        "9.255.255.255, always",
        "10.0.0.0, private",
        "10.255.255.255, private",
        "11.0.0.0, always",
        "100.63.255.255, always",
        "100.64.0.0, private",
        "100.100.100.199, private",
        "100.100.100.200, never",
        "100.100.100.201, private",
        "100.127.255.255, private",
        "100.128.0.0, always",
        "126.255.255.255, always",
        "127.0.0.0, private",
        "127.255.255.255, private",
        "128.0.0.0, always",
        "168.63.129.15, always",
        "168.63.129.16, never",
        "168.63.129.17, always",
        "169.253.255.255, always",
        "169.254.0.0, never",
        "169.254.169.254, never",
        "169.254.255.255, never",
        "169.255.0.0, always",
        "172.15.255.255, always",
        "172.16.0.0, private",
        "172.31.255.255, private",
        "172.32.0.0, always",
        "191.255.255.255, always",
        "192.0.0.0, private",
        "192.0.0.192, never",
        "192.0.0.255, private",
        "192.0.1.0, always",
        "192.0.2.0, private",
        "192.0.2.255, private",
        "192.0.3.0, always",
        "192.88.98.255, always",
        "192.88.99.0, private",
        "192.88.99.255, private",
        "192.88.100.0, always",
        "192.167.255.255, always",
        "192.168.0.0, private",
        "192.168.255.255, private",
        "192.169.0.0, always",
        "198.17.255.255, always",
        "198.18.0.0, private",
        "198.19.255.255, private",
        "198.20.0.0, always",
        "198.51.99.255, always",
        "198.51.100.0, private",
        "198.51.100.255, private",
        "198.51.101.0, always",
        "203.0.112.255, always",
        "203.0.113.0, private",
        "203.0.113.255, private",
        "203.0.114.0, always",
        "223.255.255.255, always",
        "224.0.0.0, never",
        "239.255.255.255, never",
        "240.0.0.0, never",
        "255.255.255.255, never",
        "::, never",
        "::1, private",
        "64:ff9a::1, always",
        "100::, private",
        "100::ffff:ffff:ffff:ffff, private",
        "100:0:0:2::, always",
        "2001:2::, private",
        "2001:2:0:ffff::, private",
        "2001:2:1::, always",
        "2001:10::, private",
        "2001:1f:ffff::, private",
        "2001:20::, always",
        "2001:db7:ffff::, always",
        "2001:db8::, private",
        "2001:db8:ffff::, private",
        "2001:db9::, always",
        "2606:4700::1, always",
        "3ffe:ffff::, always",
        "3fff::, private",
        "3fff:fff:ffff::, private",
        "3fff:1000::, always",
        "5f00::1, private",
        "fbff::1, always",
        "fc00::, private",
        "fd00:ec1::254, private",
        "fd00:ec2::254, never",
        "fd20:ce::253, private",
        "fd20:ce::254, never",
        "fdff:ffff::, private",
        "fe00::, always",
        "fe7f:ffff::, always",
        "fe80::, never",
        "fe80::1%1, never",
        "febf:ffff::, never",
        "fec0::, private",
        "feff:ffff::, private",
        "ff00::, never",
        "ff02::1, never",
        // mapped: as the IPv4 address
        "::ffff:8.8.8.8, always",
        "::ffff:127.0.0.1, private",
        "::ffff:a9fe:a9fe, never",
        // translated
        "::ffff:0:8.8.8.8, always",
        "::ffff:0:10.0.0.1, private",
        "::ffff:0:169.254.169.254, never",
        // compatible
        "::8.8.8.8, always",
        "::2, never",
        "::127.0.0.1, private",
        "::169.254.169.254, never",
        // NAT64
        "64:ff9b::8.8.8.8, always",
        "64:ff9b::127.0.0.1, private",
        "64:ff9b::192.168.1.1, private",
        "64:ff9b::169.254.169.254, never",
        "64:ff9b::, never",
        // a network's own NAT64, with a prefix of 48, 56, 64 and 96 bits
        "64:ff9b:1:808:8:800::, always",
        "64:ff9b:1:a00:0:100::, private",
        "64:ff9b:1:a9fe:a9:fe00::, never",
        "64:ff9b:1:8:8:808::, always",
        "64:ff9b:1:a:0:1::, private",
        "64:ff9b:1:a9:fe:a9fe::, never",
        "64:ff9b:1:0:8:808:800:0, always",
        "64:ff9b:1:0:a9:fea9:fe00:0, never",
        "64:ff9b:1::8.8.8.8, always",
        "64:ff9b:1::10.0.0.1, private",
        "64:ff9b:1::169.254.169.254, never",
        "64:ff9b:1:0808:0008:0800:a9fe:a9fe, never",
        "64:ff9b:1::, never",
        // 6to4
        "2002:808:808::1, always",
        "2002:7f00:1::1, private",
        "2002:a00:1::1, private",
        "2002:a9fe:a9fe::1, never",
        // Teredo: every bit of the client turned
        "2001:0:4136:e378:8000:63bf:f7f7:f7f7, always",
        "2001:0:4136:e378:8000:63bf:80ff:fffe, private",
        "2001:0:4136:e378:8000:63bf:f5ff:fffe, private",
        "2001:0:4136:e378:8000:63bf:5601:5601, never"
    })
    void everyAddressIsCalledAlwaysNeverOrWhereItIsAllowed(String address, String when) throws Exception {
        InetAddress it = InetAddress.getByName(address);

        assertThat(AddressRules.allow(it, false)).isEqualTo(when.equals("always"));
        assertThat(AddressRules.allow(it, true)).isEqualTo(!when.equals("never"));
    }

    /** The JDK makes IPv4 addresses of them, but not always. */
    @Test
    void aMappedAddressThatStayedIpv6IsJudgedAsIpv4() throws Exception {
        byte[] bytes = new byte[16];
        bytes[10] = (byte) 0xff;
        bytes[11] = (byte) 0xff;
        bytes[12] = 127;
        bytes[15] = 1;
        InetAddress mapped = Inet6Address.getByAddress("mapped", bytes, 1);
        assertThat(mapped).isInstanceOf(Inet6Address.class);

        assertThat(AddressRules.allow(mapped, false)).isFalse();
        assertThat(AddressRules.allow(mapped, true)).isTrue();
    }
}
