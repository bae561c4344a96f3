package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisUrlTest {
    private static final String ALLOWED =
            "; allowed: redis://[user[:password]@]host[:port][/database], or rediss:// for TLS";

    private static RedisUrl url(String host) {
        return new RedisUrl(false, host, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    @Test
    void everyPieceIsRead() {
        assertThat(RedisUrl.parse("rediss://alice:secret@redis.example:7001/5"))
                .isEqualTo(new RedisUrl(
                        true,
                        "redis.example",
                        Optional.of(7001),
                        Optional.of(5),
                        Optional.of("alice"),
                        Optional.of("secret")));
    }

    @ParameterizedTest
    @CsvSource({
        "redis://localhost, localhost",
        "redis://localhost/, localhost",
        "redis://my_redis, my_redis",
        "redis://redis.shop.svc.cluster.local., redis.shop.svc.cluster.local.",
        "redis://10.1.2.3, 10.1.2.3",
        "redis://[::1], [::1]",
        "redis://[2001:DB8::7], [2001:DB8::7]",
        "redis://[::ffff:10.1.2.3], [::ffff:10.1.2.3]"
    })
    void aHostIsANameOrAnAddress(String text, String host) {
        assertThat(RedisUrl.parse(text)).isEqualTo(url(host));
    }

    @Test
    void anIpv6AddressHasItsPortBehindTheBracket() {
        RedisUrl url = RedisUrl.parse("redis://[::1]:7001/3");
        assertThat(url.host()).isEqualTo("[::1]");
        assertThat(url.port()).contains(7001);
        assertThat(url.database()).contains(3);
    }

    @ParameterizedTest
    @CsvSource({
        "redis://alice:secret@h, alice, secret",
        "redis://:secret@h, , secret",
        "redis://alice@h, alice, ",
        "redis://alice:@h, alice, ",
        "redis://a%3Ab:c%40d%2Fe%3Ff%23g%25h@h, a:b, c@d/e?f#g%h",
        "redis://:a:b:c@h, , a:b:c",
        "redis://:a+b%2Bc%20d@h, , a+b+c d",
        "redis://:%C3%A4%e2%82%acö@h, , ä€ö",
        "redis://:{a}@h, , {a}"
    })
    void userAndPasswordAreDecoded(String text, String username, String password) {
        RedisUrl url = RedisUrl.parse(text);
        assertThat(url.username()).isEqualTo(Optional.ofNullable(username));
        assertThat(url.password()).isEqualTo(Optional.ofNullable(password));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "localhost:6379                  | its scheme is neither redis:// nor rediss://",
                "http://localhost                | its scheme is neither redis:// nor rediss://",
                "REDIS://localhost               | its scheme is neither redis:// nor rediss://",
                "redis:localhost                 | its scheme is neither redis:// nor rediss://",
                "redis+unix:///run/redis.sock    | its scheme is neither redis:// nor rediss://",
                "unix:///run/redis.sock          | its scheme is neither redis:// nor rediss://",
                "redis:///run/redis.sock         | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://                        | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://:6379                   | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://:secret@                | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://ho st                   | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://-h                      | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://höst                    | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://::1:6379                | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://[::1                    | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://[::1]x:6379             | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://[]                      | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://[1::2::3]               | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://[10.1.2.3]              | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://[redis.example]         | its host is missing or malformed; an IPv6 address stands in brackets",
                "redis://fe80::1                 | its port is not 1 to 65535; an IPv6 address stands in brackets",
                "redis://h:                      | its port is not 1 to 65535; an IPv6 address stands in brackets",
                "redis://h:0                     | its port is not 1 to 65535; an IPv6 address stands in brackets",
                "redis://h:65536                 | its port is not 1 to 65535; an IPv6 address stands in brackets",
                "redis://h:+6379                 | its port is not 1 to 65535; an IPv6 address stands in brackets",
                "redis://h:redis                 | its port is not 1 to 65535; an IPv6 address stands in brackets",
                "redis://h/x                     | its database is not a whole number, 0 to 2147483647",
                "redis://h/-1                    | its database is not a whole number, 0 to 2147483647",
                "redis://h/0/1                   | its database is not a whole number, 0 to 2147483647",
                "redis://h/2147483648            | its database is not a whole number, 0 to 2147483647",
                "redis://h?db=1                  | a query string or fragment is not allowed; in a user or password write ? as %3F, # as %23",
                "redis://h#1                     | a query string or fragment is not allowed; in a user or password write ? as %3F, # as %23",
                "redis://:a#b@h                  | a query string or fragment is not allowed; in a user or password write ? as %3F, # as %23",
                "redis://:a/b@h                  | in its user or password, write / as %2F, @ as %40",
                "redis://:a@b@h                  | in its user or password, write / as %2F, @ as %40",
                "redis://:a%@h                   | in its user or password, % is not followed by two hexadecimal digits; write % as %25",
                "redis://:a%4@h                  | in its user or password, % is not followed by two hexadecimal digits; write % as %25",
                "redis://a%+1@h                  | in its user or password, % is not followed by two hexadecimal digits; write % as %25",
                "redis://:%FF@h                  | its user or password is not UTF-8 once it is decoded",
                "redis://@h                      | before its @ there is neither a user nor a password",
                "redis://:@h                     | before its @ there is neither a user nor a password",
                "redis://a:6379,b:6379           | it names several hosts; that is for exactlyonce.redis.config-file",
                "redis://:secret@a,b             | it names several hosts; that is for exactlyonce.redis.config-file"
            })
    void aFaultNamesThePieceAndWhatIsAllowed(String text, String fault) {
        assertThatThrownBy(() -> RedisUrl.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(fault + ALLOWED);
    }

    /** Every character that means something, at every place of a URL, and every end that is missing. */
    @Test
    void noFaultShowsAnyPiece() {
        String whole = "rediss://al1ce:hunt%65r2@r3dis.example:7001/54";
        Stream<String> longer = IntStream.rangeClosed(0, whole.length())
                .boxed()
                .flatMap(at -> "/?#@:%,[]{}$\\ \n0x"
                        .chars()
                        .mapToObj(it -> whole.substring(0, at) + (char) it + whole.substring(at)));
        Stream<String> shorter = IntStream.range(0, whole.length()).mapToObj(at -> whole.substring(0, at));
        assertThat(Stream.concat(longer, shorter).map(RedisUrlTest::fault))
                .hasSizeGreaterThan(700)
                .noneMatch(it -> Stream.of("al1", "hunt", "r2", "r3d", "exam", "70", "54")
                        .anyMatch(it::contains));
    }

    private static String fault(String text) {
        try {
            return RedisUrl.parse(text).toString();
        } catch (IllegalArgumentException e) {
            return e.toString();
        }
    }

    @ParameterizedTest
    @CsvSource({"::1, [::1]", "[::1], [::1]", "localhost, localhost", "127.0.0.1, 127.0.0.1"})
    void aHostOfItsOwnMayLeaveTheBracketsOut(String text, String host) {
        assertThat(RedisUrl.hostOf(text)).contains(host);
    }
}
