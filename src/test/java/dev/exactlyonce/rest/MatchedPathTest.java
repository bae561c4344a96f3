package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What servers give is tested on one; here are the choices that a server rarely leaves. */
class MatchedPathTest {
    static class Hooks {
        @POST
        public void receive(String body) {}

        @Path("again/{x}")
        public Hooks again() {
            return this;
        }
    }

    static class Other {}

    @Path("/orders/{shop: [a-z]+}")
    static class Orders {
        @Path("hooks")
        public Hooks hooks() {
            return new Hooks();
        }

        @Path("{tenant}/in/")
        public Object open() {
            return new Hooks();
        }

        @Path("other")
        public Other other() {
            return new Other();
        }

        @Path("{a}-{b}")
        public Hooks dash() {
            return new Hooks();
        }

        @Path("{a}_{b}")
        public Hooks underscore() {
            return new Hooks();
        }

        @Path("hooks/shared")
        public Hooks sharesItsTemplateWithAnotherClass() {
            return new Hooks();
        }

        @Path("{name: [0-9]+}")
        public Hooks byNumber() {
            return new Hooks();
        }

        @Path("{name: [a-z]+}")
        public Hooks byName() {
            return new Hooks();
        }

        @Path("x{a}-{b}")
        public Hooks x() {
            return new Hooks();
        }
    }

    private static final Binding BINDING = new Binding(
            "github",
            Optional.empty(),
            "POST",
            new Binding.Paths("/own/in", "/in", Set.of(), Set.of("/orders/{shop}/hooks/shared/in")));

    /** Innermost first, as JAX-RS gives it. */
    private static String matched(List<Object> instances, List<String> uris, String... parameters) {
        MultivaluedMap<String, String> all = new MultivaluedHashMap<>();
        List.of(parameters).forEach(it -> all.add(it, "value"));
        UriInfo request = (UriInfo) Proxy.newProxyInstance(
                MatchedPathTest.class.getClassLoader(),
                new Class<?>[] {UriInfo.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getMatchedResources" -> instances;
                    case "getMatchedURIs" -> uris;
                    case "getPathParameters" -> all;
                    case "getPath" -> "/as;v=1/it/was%20sent/";
                    default -> throw new IllegalStateException(method.getName());
                });
        return MatchedPath.of(request, BINDING);
    }

    private static String toHooks(String uri, String... parameters) {
        return matched(List.of(new Hooks(), new Orders()), List.of(uri + "/in", uri, "orders/acme"), parameters);
    }

    @Test
    void aMethodOfARootResourceKeepsItsTemplate() {
        assertThat(matched(List.of(new Hooks()), List.of("anything"))).isEqualTo("/own/in");
    }

    @Test
    void theTemplatesOfClassLocatorAndMethodFollowEachOther() {
        assertThat(toHooks("orders/acme/hooks", "shop")).isEqualTo("/orders/{shop}/hooks/in");
        assertThat(toHooks("orders/acme/t1/in", "shop", "tenant")).isEqualTo("/orders/{shop}/{tenant}/in/in");
    }

    @Test
    void locatorsMayLeadOnAndBackToTheSameClass() {
        assertThat(matched(
                        List.of(new Hooks(), new Hooks(), new Hooks(), new Orders()),
                        List.of(
                                "orders/acme/hooks/again/1/again/2",
                                "orders/acme/hooks/again/1",
                                "orders/acme/hooks",
                                "orders/acme"),
                        "shop",
                        "x"))
                .isEqualTo("/orders/{shop}/hooks/again/{x}/again/{x}/in");
    }

    @Test
    void ofSeveralLocatorsThatMatchTheOneWithMoreLiteralCharactersCounts() {
        assertThat(toHooks("orders/acme/x1-2", "shop", "a", "b")).isEqualTo("/orders/{shop}/x{a}-{b}/in");
    }

    @Test
    void whereTheRulesLeaveAChoiceTheEndpointIsNeitherOfThem() {
        String both = toHooks("orders/acme/1-2_3", "shop", "a", "b");
        assertThat(both)
                .isEqualTo("/orders/{shop}/{a}-{b}|/{a}_{b}/in")
                .isNotEqualTo(toHooks("orders/acme/1-2", "shop", "a", "b"));
    }

    @Test
    void waysThatDifferInTheirRegularExpressionsAloneHaveTheirNamesInTheEndpoint() {
        assertThat(toHooks("orders/acme/12", "shop", "name"))
                .isEqualTo("/orders/{shop}/{name}/in@" + Orders.class.getName() + ".byNumber");
        assertThat(toHooks("orders/acme/ab", "shop", "name"))
                .isEqualTo("/orders/{shop}/{name}/in@" + Orders.class.getName() + ".byName");
        assertThat(toHooks("orders/acme/hooks/shared", "shop"))
                .isEqualTo("/orders/{shop}/hooks/shared/in@" + Orders.class.getName()
                        + ".sharesItsTemplateWithAnotherClass");
    }

    @Test
    void whereNoLocatorIsFoundThePathIsTheEndpointWithoutItsMatrixParameters() {
        assertThat(toHooks("orders/acme/unknown", "shop")).isEqualTo("/as/it/was%20sent");
        assertThat(toHooks("billing/acme/hooks", "shop")).isEqualTo("/as/it/was%20sent");
        assertThat(matched(List.of(new Hooks(), new Orders()), List.of("orders/acme/hooks"), "shop"))
                .isEqualTo("/as/it/was%20sent");
    }
}
