package dev.exactlyonce.signature.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.exactlyonce.admission.SentRequest;
import dev.exactlyonce.admission.Verification;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("JavaUtilDate") // the library's
class OidcTokenTest {
    private static final Instant NOW = Instant.parse("2026-09-27T10:00:00Z");
    private static final String ISSUER = "https://accounts.google.com";
    private static final String AUDIENCE = "https://example.com/hooks/pubsub";
    private static final String EMAIL = "push@project.iam.gserviceaccount.com";
    private static RSAKey googles;
    private static RSAKey somebodys;

    private final AtomicInteger fetches = new AtomicInteger();
    private HttpServer issuer;
    private OidcToken token;

    @BeforeAll
    static void makeKeys() throws JOSEException {
        googles = new RSAKeyGenerator(2048).keyID("g1").generate();
        somebodys = new RSAKeyGenerator(2048).keyID("g1").generate();
    }

    @BeforeEach
    void startIssuer() throws IOException {
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] keys = new JWKSet(googles.toPublicJWK()).toString().getBytes(StandardCharsets.UTF_8);
        issuer.createContext("/certs", exchange -> {
            fetches.incrementAndGet();
            exchange.sendResponseHeaders(200, keys.length);
            exchange.getResponseBody().write(keys);
            exchange.close();
        });
        issuer.start();
        token = new OidcToken(
                new OidcSettings(
                        URI.create("http://127.0.0.1:" + issuer.getAddress().getPort() + "/certs"),
                        Set.of(ISSUER, "accounts.google.com"),
                        AUDIENCE,
                        EMAIL),
                () -> NOW);
    }

    @AfterEach
    void stopIssuer() {
        issuer.stop(0);
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .claim("email", EMAIL)
                .claim("email_verified", true)
                .issueTime(Date.from(NOW))
                .expirationTime(Date.from(NOW.plus(Duration.ofHours(1))));
    }

    private static String signed(JWTClaimsSet claims, JWSAlgorithm algorithm, JWSSigner signer) {
        try {
            SignedJWT jwt =
                    new SignedJWT(new JWSHeader.Builder(algorithm).keyID("g1").build(), claims);
            jwt.sign(signer);
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String signed(JWTClaimsSet claims, RSAKey key) {
        try {
            return signed(claims, JWSAlgorithm.RS256, new RSASSASigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private Verification verify(String... authorizations) {
        SentRequest request = new SentRequest();
        List.of(authorizations).forEach(it -> request.withHeader("Authorization", it));
        return token.verify(request, new byte[0]);
    }

    private boolean isValid(JWTClaimsSet claims) {
        return verify("Bearer " + signed(claims, googles)).isValid();
    }

    @Test
    void theSendersTokenIsAcceptedAndTheKeysAreFetchedOnce() {
        assertThat(isValid(claims().build())).isTrue();
        assertThat(isValid(claims().issuer("accounts.google.com").build())).isTrue();
        assertThat(verify("bearer " + signed(claims().build(), googles)).isValid())
                .isTrue();
        assertThat(fetches).hasValue(1);
    }

    @Test
    void aTokenOfSomebodyElseOrForSomebodyElseIsRefused() {
        assertThat(isValid(claims().issuer("https://accounts.google.com.evil.example")
                        .build()))
                .isFalse();
        assertThat(isValid(claims().audience("https://example.com/other").build()))
                .isFalse();
        assertThat(isValid(claims().claim("email", "other@project.iam.gserviceaccount.com")
                        .build()))
                .isFalse();
        assertThat(isValid(claims().claim("email_verified", false).build())).isFalse();
        assertThat(isValid(claims().claim("email_verified", "true").build())).isFalse();
        assertThat(isValid(claims().claim("email", null).build())).isFalse();
    }

    @Test
    void aTokenIsTakenUntilAMinuteAfterItsEnd() {
        assertThat(isValid(
                        claims().expirationTime(Date.from(NOW.minusSeconds(59))).build()))
                .isTrue();
        assertThat(isValid(
                        claims().expirationTime(Date.from(NOW.minusSeconds(61))).build()))
                .isFalse();
        assertThat(isValid(claims().expirationTime(null).build())).isFalse();
        assertThat(isValid(
                        claims().notBeforeTime(Date.from(NOW.plusSeconds(61))).build()))
                .isFalse();
    }

    @Test
    void aTokenThatTheIssuerDidNotSignIsRefused() throws Exception {
        assertThat(verify("Bearer " + signed(claims().build(), somebodys)).isValid())
                .isFalse();
        assertThat(verify("Bearer " + new PlainJWT(claims().build()).serialize())
                        .isValid())
                .isFalse();
        byte[] publicKey = googles.toRSAPublicKey().getEncoded();
        assertThat(verify("Bearer " + signed(claims().build(), JWSAlgorithm.HS256, new MACSigner(publicKey)))
                        .isValid())
                .isFalse();
        assertThat(verify("Bearer " + signed(claims().build(), JWSAlgorithm.RS512, new RSASSASigner(googles)))
                        .isValid())
                .isFalse();
        String right = signed(claims().build(), googles);
        String[] parts = right.split("\\.", -1);
        String other = signed(claims().subject("other").build(), googles).split("\\.", -1)[1];
        assertThat(verify("Bearer " + parts[0] + "." + other + "." + parts[2]).isValid())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer", "Bearer ", "Bearer a.b.c", "Bearer ..", "Basic dTpw", "Bearer {}", "x"})
    void whatIsNoTokenIsRefused(String authorization) {
        assertThat(verify(authorization).isValid()).isFalse();
        assertThat(fetches).hasValue(0);
    }

    @Test
    void aTokenThatIsMissingOrSentTwiceIsRefused() {
        String right = "Bearer " + signed(claims().build(), googles);
        assertThat(verify().isValid()).isFalse();
        assertThat(verify(right, right).isValid()).isFalse();
        assertThat(verify("Bearer " + "a".repeat(20_000)).isValid()).isFalse();
    }

    @Test
    void withoutTheIssuersKeysNothingIsAcceptedAndTheOperatorIsToldWhy() {
        issuer.stop(0);

        assertThat(verify("Bearer " + signed(claims().build(), googles)).fault())
                .contains("the keys of the token's issuer cannot be had");
    }

    @Test
    void theKeysThatWereKnownOutliveTheirIssuer() {
        assertThat(isValid(claims().build())).isTrue();
        issuer.stop(0);

        assertThat(isValid(claims().subject("later").build())).isTrue();
    }
}
