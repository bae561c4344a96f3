package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.exactlyonce.ExactlyOnce;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.container.test.api.TargetsContainer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A preset counts in every notation and from every place, on a server whose locale writes a capital i with a dot. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class NotationsIT {
    private static final String SERVER = "nodeB";
    private static final String SECRET = "open sesame";

    /** The sources, by where their preset is set. */
    private static final List<String> SOURCES = List.of(
            "github-documented",
            "github-file",
            "github-dotted",
            "github-upper",
            "github-lower",
            "github-mixed",
            "github-variable",
            "github-system");

    private final Http http = new Http(Node.b(""));

    @ArquillianResource
    ContainerController servers;

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "notations", managed = false, testable = false)
    @TargetsContainer(SERVER)
    static WebArchive application() {
        Stream<String> secrets = SOURCES.stream().map(it -> "exactlyonce.source." + it + ".secret=" + SECRET);
        return Wars.configured(
                Wars.of("notations", App.class, Hooks.class).addClass(NotationsIT.class),
                Stream.concat(
                                secrets,
                                Stream.of(
                                        "ExactlyOnce.Store=memory",
                                        "exactlyonce_sources=" + String.join(",", SOURCES),
                                        "exactlyonce.source.github-documented.preset=github",
                                        "exactlyonce.source.github-file.PRESET=github",
                                        "exactlyonce.source.github.dotted.preset=github"))
                        .toArray(String[]::new));
    }

    @Deployment(name = "undeclared", managed = false, testable = false)
    @TargetsContainer(SERVER)
    static WebArchive withoutTheSources() {
        return Wars.configured(Wars.of("undeclared", App.class), "exactlyonce.store=memory");
    }

    @ApplicationPath("/")
    public static class App extends Application {}

    @Path("/")
    @RequestScoped
    public static class Hooks {
        @POST
        @Path("hooks/{source}")
        @ExactlyOnce("{source}")
        public String receive(String event) {
            return "ran";
        }

        @GET
        @Path("locale")
        public String locale() {
            return Locale.getDefault().toLanguageTag();
        }
    }

    @Test
    void aPresetCountsInEveryNotationUnderTheTurkishLocaleAndNoneIsIgnored() throws Exception {
        try (ServerConfig environment = ServerConfig.append(
                        SERVER,
                        "server.env",
                        "EXACTLYONCE_SOURCE_GITHUB_UPPER_PRESET=github",
                        "exactlyonce_source_github_lower_preset=github",
                        "ExactlyOnce_Source_github_mixed_Preset=github");
                ServerConfig system =
                        ServerConfig.append(SERVER, "jvm.options", "-DEXACTLYONCE_SOURCE_GITHUB_SYSTEM_PRESET=github");
                ServerConfig variable = ServerConfig.add(
                        SERVER, "<variable name=\"EXACTLYONCE_SOURCE_GITHUB_VARIABLE_PRESET\" value=\"github\"/>")) {
            new Server(SERVER).stop(servers);
            servers.start(SERVER);
            try {
                deployer.deploy("notations");
                assertThat(http.get("/notations/locale").body()).isEqualTo("tr-TR");
                for (String source : SOURCES) {
                    assertThat(deliver(source, "sha256=" + "0".repeat(64)).statusCode())
                            .as(source)
                            .isEqualTo(401);
                    assertThat(deliver(source, "sha256=" + hmac("{}")).body())
                            .as(source)
                            .isEqualTo("ran");
                }
                deployer.undeploy("notations");
                assertThatEachIsRefusedWhereItsSourceIsNotDeclared();
            } finally {
                servers.stop(SERVER);
            }
        }
    }

    private void assertThatEachIsRefusedWhereItsSourceIsNotDeclared() throws IOException {
        assertThat(catchThrowable(() -> deployer.deploy("undeclared"))).isNotNull();
        String log = Files.readString(ServerConfig.folder(SERVER).resolve("logs/messages.log"));
        deployer.undeploy("undeclared");
        assertThat(log).containsPattern("CWWKZ0002E: .* application undeclared\\.");
        for (String name : List.of(
                "EXACTLYONCE_SOURCE_GITHUB_UPPER_PRESET",
                "exactlyonce_source_github_lower_preset",
                "ExactlyOnce_Source_github_mixed_Preset",
                "EXACTLYONCE_SOURCE_GITHUB_SYSTEM_PRESET",
                "EXACTLYONCE_SOURCE_GITHUB_VARIABLE_PRESET")) {
            assertThat(log).contains("EXON0003 " + name + ": unknown setting, or its source is not declared");
        }
    }

    private HttpResponse<String> deliver(String source, String signature) {
        HttpRequest.Builder request = http.request("/notations/hooks/" + source)
                .header("X-GitHub-Event", "push")
                .header("X-GitHub-Delivery", source);
        return Http.send(request.header("X-Hub-Signature-256", signature)
                .POST(BodyPublishers.ofString("{}"))
                .build());
    }

    private static String hmac(String text) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }
}
