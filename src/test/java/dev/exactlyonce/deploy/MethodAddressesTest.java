package dev.exactlyonce.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.rest.ResourceMethod;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MethodAddressesTest {
    static class Hooks {
        @POST
        @Path("events/{id}")
        public void receive(String body) {}
    }

    @Path("/orders/{tenant: [a-z]+}")
    static class Orders {
        @Path("hooks")
        public Hooks hooks() {
            return new Hooks();
        }
    }

    @Path("billing")
    static class Billing {
        @Path("in/{tenant}/hooks")
        public Class<Hooks> hooks() {
            return Hooks.class;
        }

        @Path("self")
        public Billing self() {
            return this;
        }
    }

    @Path("plain")
    static class WithoutTheTenant {
        @Path("hooks")
        public Hooks hooks() {
            return new Hooks();
        }
    }

    @Path("open/{tenant}")
    static class Open {
        @Path("hooks/{kind}")
        public Object any() {
            return new Hooks();
        }
    }

    static class Unreached {
        @Path("{tenant}")
        public Hooks hooks() {
            return new Hooks();
        }
    }

    @Path("twice/{id}")
    static class Twice {
        @POST
        @Path("{id}")
        public void receive(String body) {}
    }

    private static MethodAddresses addresses(Class<?> type, Class<?>... resources) {
        ResourceMethod method = ResourceMethod.all(type).stream()
                .filter(it -> it.method().getName().equals("receive"))
                .findFirst()
                .orElseThrow();
        return MethodAddresses.of(method, new ResourcePaths(List.of(resources)));
    }

    @Test
    void theAddressesOfASubResourceHoldItsLocators() {
        assertThat(addresses(Hooks.class, Orders.class, Billing.class).paths().addresses())
                .containsExactlyInAnyOrder(
                        "/orders/{tenant}/hooks/events/{id}",
                        "/billing/in/{tenant}/hooks/events/{id}"); // and never through the same class twice
    }

    @Test
    void aSubResourceThatNothingLeadsToHasNoAddress() {
        assertThat(addresses(Hooks.class).paths().addresses()).isEmpty();
        assertThat(addresses(Hooks.class, Unreached.class).paths().addresses()).isEmpty();
    }

    @Test
    void aRootResourceHasTheAddressThatItAlwaysHad() {
        assertThat(addresses(Twice.class).paths().template()).isEqualTo("/twice/{id}/{id}");
        assertThat(addresses(Twice.class).paths().addresses()).containsExactly("/twice/{id}/{id}");
    }

    @Path("/orders/{tenant: [0-9]+}")
    static class NumberedOrders extends Orders {}

    @Test
    void waysThatDifferInTheirRegularExpressionsAloneAreKnownToShareTheirTemplate() {
        assertThat(addresses(Hooks.class, Hooks.class, Orders.class, NumberedOrders.class, Billing.class)
                        .paths()
                        .shared())
                .containsExactly("/orders/{tenant}/hooks/events/{id}");
        assertThat(addresses(Hooks.class, Hooks.class, Orders.class, Billing.class)
                        .paths()
                        .shared())
                .isEmpty();
    }

    @Test
    void aParameterOfALocatorIsKnown() {
        assertThat(addresses(Hooks.class, Orders.class, Billing.class).lacks("tenant"))
                .isEmpty();
        assertThat(addresses(Hooks.class, Orders.class, Billing.class).lacks("id"))
                .isEmpty();
    }

    @Test
    void aParameterThatAWayDoesNotHaveIsAFaultThatNamesTheWay() {
        assertThat(addresses(Hooks.class, Orders.class, WithoutTheTenant.class).lacks("tenant"))
                .hasValueSatisfying(it -> assertThat(it)
                        .isEqualTo("which the path /plain/hooks through " + WithoutTheTenant.class.getName()
                                + ".hooks does not have; it has [id]"));
    }

    @Test
    void aParameterOfAnOpenLocatorIsTakenForGivenAndNoOtherIs() {
        assertThat(addresses(Hooks.class, Open.class).lacks("tenant")).isEmpty();
        assertThat(addresses(Hooks.class, Open.class).lacks("kind")).isEmpty();
        assertThat(addresses(Hooks.class, Open.class).lacks("other"))
                .contains("which neither its @Path nor a locator has; it has [id]");
    }

    @Test
    void aParameterThatStandsInAWayTwiceNeverIsAKey() {
        assertThat(addresses(Twice.class).lacks("id")).contains("which its @Path has more than once; it has [id, id]");
    }
}
