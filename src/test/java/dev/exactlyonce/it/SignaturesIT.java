package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.gateway.GatewayApplication;
import dev.exactlyonce.gateway.HookResource;
import dev.exactlyonce.gateway.WebhookReceived;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.SignedRow;
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
    private static final List<SignedRow> ROWS = SignedRow.all();

    @ArquillianResource
    java.net.URL url;

    @Deployment(testable = false)
    static WebArchive gateway() {
        List<String> lines = new ArrayList<>(
                List.of("exactlyonce.store=memory", "exactlyonce.sources=" + String.join(",", names().toList())));
        for (int i = 0; i < ROWS.size(); i++) {
            String source = "exactlyonce.source." + name(i) + ".";
            SignedRow row = ROWS.get(i);
            lines.add(source + "preset=" + row.preset());
            lines.add(source + "secret=" + row.secret());
            lines.add(source + "key=body");
            if (!row.url().isEmpty()) {
                lines.add(source + "public-url=" + row.publicUrl());
            }
            if (Preset.find(row.preset()).orElseThrow().line("tolerance").isPresent()) {
                lines.add(source + "tolerance=P36500D");
            }
        }
        return Wars.configured(
                Wars.of("signatures", GatewayApplication.class, HookResource.class, WebhookReceived.class),
                lines.toArray(String[]::new));
    }

    private static Stream<String> names() {
        return IntStream.range(0, ROWS.size()).mapToObj(SignaturesIT::name);
    }

    private static String name(int vector) {
        return "v" + vector;
    }

    private HttpResponse<String> send(int row, String body) {
        SignedRow sent = ROWS.get(row);
        String query = sent.rawQuery().isEmpty() ? "" : "?" + sent.rawQuery();
        HttpRequest.Builder request = new Http(url.toString())
                .request("/hooks/" + name(row) + query)
                .POST(BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.UTF_8)));
        sent.headers().forEach(request::header);
        return Http.send(request.build());
    }

    @Test
    void whatAProviderSignedIsAdmittedOnceAndAFlippedBitIsRefused() {
        assertThat(ROWS).hasSizeGreaterThan(25);
        for (int i = 0; i < ROWS.size(); i++) {
            SignedRow row = ROWS.get(i);
            String what = row.preset() + ", " + row.name();

            assertThat(send(i, row.tamperedBody()).statusCode()).as(what).isEqualTo(401);
            HttpResponse<String> first = send(i, row.body());
            if (!row.isValid()) {
                assertThat(first.statusCode()).as(what).isEqualTo(401);
                continue;
            }
            assertThat(first.body()).as(what).isEqualTo("{\"status\":\"ok\"}");
            assertThat(send(i, row.body()).body()).as(what).isEqualTo("{\"status\":\"duplicate\"}");
        }
    }
}
