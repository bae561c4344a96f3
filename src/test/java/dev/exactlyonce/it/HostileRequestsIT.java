package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.config.LengthExtension;
import dev.exactlyonce.config.Signer;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no HTTP client sends: what is malformed is refused by a 4xx, what a sender signed is taken. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class HostileRequestsIT {
    private static final String SECRET = "a client secret of hubspot";
    private static final String URL = "https://example.com/hostile/hubspot";

    private static final String TWILIO = "https://example.com/hostile/twilio";

    @Deployment(testable = false)
    static WebArchive application() {
        return Wars.configured(
                Wars.of("hostile", App.class, Hooks.class, EffectsClient.class).addClass(HostileRequestsIT.class),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.store=memory",
                "exactlyonce.source.byquery.key=query:id",
                "exactlyonce.source.hubspot.preset=hubspot-v2",
                "exactlyonce.source.hubspot.secret=" + SECRET,
                "exactlyonce.source.hubspot.public-url=" + URL,
                "exactlyonce.source.github.preset=github",
                "exactlyonce.source.github.secret=" + SECRET,
                "exactlyonce.source.twilio.preset=twilio",
                "exactlyonce.source.twilio.secret=" + SECRET,
                "exactlyonce.source.twilio.public-url=" + TWILIO,
                "exactlyonce.source.twilio.dedup-body=true",
                "exactlyonce.source.mac.preset=razorpay",
                "exactlyonce.source.mac.secret=" + SECRET,
                "exactlyonce.source.mac.key=signature",
                "exactlyonce.source.meta.preset=meta",
                "exactlyonce.source.meta.secret=" + SECRET,
                "exactlyonce.source.meta.verify-token=typed in");
    }

    @ApplicationPath("/")
    public static class App extends Application {}

    @Path("/")
    @RequestScoped
    public static class Hooks {
        @Inject
        EffectsClient effects;

        @POST
        @Path("twilio")
        @ExactlyOnce("twilio")
        public String twilio(String body) {
            effects.happen("hostile-twilio");
            return "ran";
        }

        @POST
        @Path("mac")
        @ExactlyOnce("mac")
        public String mac(String body) {
            return "ran";
        }

        @POST
        @Path("byquery")
        @ExactlyOnce("byquery")
        public String byQuery(String body) {
            return "ran";
        }

        @POST
        @Path("hubspot")
        @ExactlyOnce("hubspot")
        public String hubspot(String body) {
            return "ran";
        }

        @POST
        @Path("github")
        @ExactlyOnce("github")
        public String github(String body) {
            effects.happen("hostile-" + body.replaceAll("[^a-z0-9-]", ""));
            return "ran";
        }

        @POST
        @Path("meta")
        @ExactlyOnce("meta")
        public String meta(String body) {
            return "ran";
        }
    }

    private static WireHttp.Answer post(String path, String query, Map<String, String> headers, String body) {
        return WireHttp.send(Node.A, "POST", "/hostile/" + path + query, headers, body);
    }

    private static WireHttp.Answer get(String path, String query) {
        return WireHttp.send(Node.A, "GET", "/hostile/" + path + query, Map.of(), "");
    }

    private static WireHttp.Answer hubspot(String query, String body) {
        String signed = SECRET + "POST" + URL + query + body;
        return post(
                "hubspot",
                query,
                Map.of("X-HubSpot-Signature", Signer.sha256Hex(signed.getBytes(StandardCharsets.ISO_8859_1))),
                body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "\"", "<", "|", "\\", "^", "%zz", "%", "%ff", "`", "[", "#", "\u00ff"})
    void aMalformedQueryIsRefusedAndNoFaultOfOurs(String odd) {
        for (String query : new String[] {"?x=" + odd, "?" + odd, "?id=1&x=" + odd}) {
            assertThat(post("github", query, Map.of(), "{}").status()).as(query).isBetween(400, 401);
            assertThat(post("hubspot", query, Map.of(), "{}").status())
                    .as(query)
                    .isBetween(400, 401);
            assertThat(get("github", query).status()).as(query).isBetween(400, 405);
            assertThat(get("meta", query).status()).as(query).isBetween(400, 405);
        }
        assertThat(post("byquery", "?x=" + odd, Map.of(), "{}").status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%zz", "%", "%ff"})
    void aKeyThatIsNoPercentEncodedTextIsRefused(String odd) {
        assertThat(post("byquery", "?id=" + odd, Map.of(), "{}"))
                .returns(400, WireHttp.Answer::status)
                .extracting(WireHttp.Answer::body)
                .asString()
                .contains("The query is malformed; looked for query:id.");
        assertThat(get("meta", "?hub.mode=subscribe&hub.verify_token=" + odd).status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "\"", "<", "|", "\\", "^", "%zz", "%7C"})
    void aParameterThatNobodyAsksForMayBeMalformed(String odd) {
        String id = UUID.randomUUID().toString();
        String query = "?tags=a" + odd + "b&id=" + id;
        assertThat(post("byquery", query, Map.of(), "{}").body()).isEqualTo("ran");
        assertThat(post("byquery", "?id=" + id, Map.of(), "{}").body()).contains("duplicate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"?tags=a|b", "?x={\"a\":1}", "?x=<>^`", "?x=%zz", "?x=\u00c3\u00a9", "?a=%41%2f&b=+"})
    void aSignedAddressIsTakenAsTheSenderWroteIt(String query) {
        String body = "{\"id\":\"" + UUID.randomUUID() + "\"}";
        assertThat(hubspot(query, body).body()).isEqualTo("ran");
        assertThat(hubspot(query, body).body()).contains("duplicate");
        assertThat(post("hubspot", query, Map.of("X-HubSpot-Signature", "0".repeat(64)), body)
                        .status())
                .isEqualTo(401);
    }

    @Test
    void aRequestWithoutASignatureIsRefusedBeforeItsBodyWasSent() {
        Map<String, String> announced = Map.of("Content-Length", "26000000");
        assertThat(post("github", "", announced, "").status()).isEqualTo(401);
        String[] endless = {
            "POST /hostile/github HTTP/1.1",
            "Host: localhost",
            "Connection: close",
            "Transfer-Encoding: chunked",
            "",
            "5",
            "hello",
            ""
        };
        assertThat(WireHttp.exchange(Node.A, String.join("\r\n", endless)).status())
                .isEqualTo(401);
    }

    @Test
    void aLongerBodyThatAnybodyCanSignIsRefused() {
        String signed = SECRET + "POST" + URL + "[{}]";
        String captured = Signer.sha256Hex(signed.getBytes(StandardCharsets.ISO_8859_1));
        byte[] behind = "[{\"evil\":true}]".getBytes(StandardCharsets.ISO_8859_1);
        String body = "[{}]"
                + new String(LengthExtension.padding(signed.length()), StandardCharsets.ISO_8859_1)
                + new String(behind, StandardCharsets.ISO_8859_1);
        String extended = LengthExtension.extended(captured, signed.length(), behind);
        assertThat(hubspot("", "[{}]").body()).isEqualTo("ran");
        assertThat(post("hubspot", "", Map.of("X-HubSpot-Signature", extended), body)
                        .status())
                .isEqualTo(401);
        assertThat(post("hubspot", "?[", Map.of("X-HubSpot-Signature", captured), "{}]")
                        .status())
                .isEqualTo(401);
    }

    private static String github(String id, String body) {
        return post(
                        "github",
                        "",
                        Map.of(
                                "X-GitHub-Delivery",
                                id,
                                "X-GitHub-Hook-ID",
                                "1",
                                "X-Hub-Signature-256",
                                "sha256=" + Signer.hex(SECRET, body)),
                        body)
                .body();
    }

    @Test
    void aCapturedDeliveryUnderTheIdOfOneToComeTakesNothingFromIt() {
        String id = UUID.randomUUID().toString();
        String captured = "{\"c-" + id + "\":1}";
        String honest = "{\"h-" + id + "\":1}";
        assertThat(github(id, captured)).isEqualTo("ran");
        assertThat(github(id, honest)).isEqualTo("ran");
        for (int i = 0; i < 3; i++) {
            assertThat(github(id, honest)).contains("duplicate");
            assertThat(github(id, captured)).contains("duplicate");
        }
        assertThat(Effects.SHARED.count("hostile-c-" + id + "1")).isOne();
        assertThat(Effects.SHARED.count("hostile-h-" + id + "1")).isOne();
    }

    @Test
    void aKeyOfTheSignatureIsOneHoweverItsOtherHeadersAre() {
        String body = "{\"id\":\"" + UUID.randomUUID() + "\"}";
        String mac = Signer.hex(SECRET, body);
        assertThat(post("mac", "", Map.of("X-Razorpay-Signature", mac), body).body())
                .isEqualTo("ran");
        for (String written : new String[] {mac, mac.toUpperCase(Locale.ROOT), mac + " "}) {
            assertThat(post("mac", "", Map.of("X-Razorpay-Signature", written, "X-Razorpay-Event-Id", "new"), body)
                            .body())
                    .contains("duplicate");
        }
    }

    @Test
    void aCapturedFormIsOneDeliveryHoweverItIsEncoded() {
        String sid = "SM" + UUID.randomUUID().toString().replace("-", "");
        String signature = Signer.base64(Signer.hmac(
                "HmacSHA1",
                SECRET.getBytes(StandardCharsets.UTF_8),
                TWILIO + "BodyHello World!From+1555MessageSid" + sid));
        String[] written = {
            "From=%2B1555&Body=Hello+World%21&MessageSid=",
            "From=%2b1555&Body=Hello%20World!&MessageSid=",
            "From=%2B1555&Body=%48ello+World%21&MessageSid=",
            "Body=Hello+World%21&From=%2B1555&MessageSid=",
            "&From=%2B1555&&Body=Hello+World%21&MessageSid=",
            "Fro%6d=%2B1555&Body=Hello+World%21&MessageSid=",
            "From=%2B1555&From=%2B1555&Body=Hello+World%21&MessageSid=",
        };
        int before = Effects.SHARED.count("hostile-twilio");
        for (int i = 0; i < written.length; i++) {
            for (String end : new String[] {"", "&"}) {
                Map<String, String> headers = Map.of(
                        "Content-Type",
                        "application/x-www-form-urlencoded",
                        "X-Twilio-Signature",
                        signature,
                        "I-Twilio-Idempotency-Token",
                        sid + i + end.length());
                WireHttp.Answer answer = post("twilio", "", headers, written[i] + sid + end);
                assertThat(answer.status()).as(written[i]).isEqualTo(200);
            }
        }
        assertThat(Effects.SHARED.count("hostile-twilio")).isEqualTo(before + 1);
    }

    @Test
    void aChallengeIsEchoedAsPlainTextThatNobodySniffs() {
        String query = "?hub.mode=subscribe&hub.verify_token=typed%20in&hub.challenge=";
        assertThat(get("meta", query + "1158201444").head())
                .contains("200")
                .containsIgnoringCase("X-Content-Type-Options: nosniff")
                .containsIgnoringCase("Content-Type: text/plain");
        for (String odd : new String[] {"<b>", "a|b", "%3Cscript%3E", "a+b", "a/b", "%0d%0aX-Evil:1", "\u00e4"}) {
            assertThat(get("meta", query + odd).status()).as(odd).isBetween(400, 403);
        }
    }
}
