package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.gateway.GatewayApplication;
import dev.exactlyonce.gateway.HookResource;
import dev.exactlyonce.gateway.WebhookReceived;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.Vectors;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every published vector through the whole way of a request on a server: a source a row, wide open to old timestamps. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class SignaturesIT {
    private static final List<JsonObject> VECTORS = Vectors.all().stream()
            .filter(it -> Preset.NAMES.contains(it.getString("provider")))
            .toList();

    @ArquillianResource
    java.net.URL url;

    @Deployment(testable = false)
    static WebArchive gateway() {
        List<String> lines = new ArrayList<>(
                List.of("exactlyonce.store=memory", "exactlyonce.sources=" + String.join(",", names().toList())));
        for (int i = 0; i < VECTORS.size(); i++) {
            String source = "exactlyonce.source." + name(i) + ".";
            JsonObject vector = VECTORS.get(i);
            lines.add(source + "preset=" + vector.getString("provider"));
            lines.add(source + "secret=" + vector.getString("public", vector.getString("secret", "")));
            lines.add(source + "key=body");
            if (Preset.find(vector.getString("provider")).orElseThrow().lines().containsKey("tolerance")) {
                lines.add(source + "tolerance=P36500D");
            }
        }
        return Wars.configured(
                Wars.of("signatures", GatewayApplication.class, HookResource.class, WebhookReceived.class),
                lines.toArray(String[]::new));
    }

    private static Stream<String> names() {
        return IntStream.range(0, VECTORS.size()).mapToObj(SignaturesIT::name);
    }

    private static String name(int vector) {
        return "v" + vector;
    }

    private HttpResponse<String> send(int vector, byte[] body) {
        HttpRequest.Builder request =
                new Http(url.toString()).request("/hooks/" + name(vector)).POST(BodyPublishers.ofByteArray(body));
        VECTORS.get(vector)
                .getJsonObject("headers")
                .forEach((header, value) -> request.header(header, ((JsonString) value).getString()));
        return Http.send(request.build());
    }

    @Test
    void whatAProviderSignedIsAdmittedOnceAndAFlippedBitIsRefused() {
        assertThat(VECTORS).hasSizeGreaterThan(5);
        for (int i = 0; i < VECTORS.size(); i++) {
            JsonObject vector = VECTORS.get(i);
            String what = vector.getString("provider") + ", " + vector.getString("name");
            byte[] body = vector.getString("body").getBytes(StandardCharsets.UTF_8);
            byte[] flipped = body.clone();
            flipped[flipped.length / 2] ^= 1;

            assertThat(send(i, flipped).statusCode()).as(what).isEqualTo(401);
            HttpResponse<String> first = send(i, body);
            if (!vector.getBoolean("valid")) {
                assertThat(first.statusCode()).as(what).isEqualTo(401);
                continue;
            }
            assertThat(first.body()).as(what).isEqualTo("{\"status\":\"ok\"}");
            assertThat(send(i, body).body()).as(what).isEqualTo("{\"status\":\"duplicate\"}");
        }
    }
}
