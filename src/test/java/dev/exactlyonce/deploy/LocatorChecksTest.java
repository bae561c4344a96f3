package dev.exactlyonce.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.rest.Binding;
import dev.exactlyonce.rest.ResourceMethod;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LocatorChecksTest {
    static class Unbound {
        @POST
        public void receive(String body) {}
    }

    static class Reading {
        @GET
        public String read() {
            return "";
        }
    }

    static class Bound extends Unbound {}

    static class Between {
        @Path("on")
        public Bound bound() {
            return new Bound();
        }

        @Path("back")
        public Between back() {
            return this;
        }

        @Path("astray")
        public Class<Other> astray() {
            return Other.class;
        }
    }

    static class Other extends Reading {
        @POST
        public void receive(String body) {}
    }

    interface Contract {
        @Path("inherited")
        Object inherited();
    }

    static class Root implements Contract {
        @Override
        public Other inherited() {
            return new Other();
        }

        @Path("reading")
        public Reading reading() {
            return new Reading();
        }

        @Path("bound")
        public Bound bound() {
            return new Bound();
        }

        @Path("between")
        public Between between() {
            return new Between();
        }
    }

    static class Open<T> {
        @Path("object")
        public Object object() {
            return this;
        }

        @Path("interface")
        public Contract contract() {
            return new Root();
        }

        @Path("class")
        public Class<?> someClass() {
            return Root.class;
        }

        @Path("generic")
        public T generic() {
            throw new IllegalStateException();
        }

        @Path("super")
        public Unbound ofWhichABoundClassIsMade() {
            return new Bound();
        }
    }

    @Path("forms")
    static class Forms {
        @Path("form")
        public Bound form(@FormParam("tenant") String tenant) {
            return new Bound();
        }

        @Path("later")
        public Bound later(@Suspended AsyncResponse response) {
            return new Bound();
        }

        @Path("elsewhere")
        public Unbound elsewhere(@FormParam("tenant") String tenant) {
            return new Unbound();
        }
    }

    private final BindingFaults faults = new BindingFaults();

    private LocatorChecks checked(List<Class<?>> resources, Set<Class<?>> whole, Class<?>... bound) {
        Map<Class<?>, Map<Method, Binding>> bindings = new LinkedHashMap<>();
        for (Class<?> type : bound) {
            Map<Method, Binding> methods = new LinkedHashMap<>();
            for (ResourceMethod it : ResourceMethod.all(type)) {
                it.httpMethod().ifPresent(http -> methods.put(it.method(), binding(http)));
            }
            bindings.put(type, methods);
        }
        LocatorChecks checks = new LocatorChecks(bindings, new ResourcePaths(resources), faults);
        checks.find(whole);
        return checks;
    }

    private static Binding binding(String http) {
        return new Binding("demo", Optional.empty(), http, new Binding.Paths("", "", Set.of(), Set.of()));
    }

    @Test
    void aLocatorOfABoundClassThatLeadsToAnUnboundMethodIsAFaultAtAnyDepth() {
        assertThat(checked(List.of(Root.class), Set.of(Root.class), Root.class, Bound.class)
                        .warnings())
                .isEmpty();
        assertThat(faults.all())
                .hasSize(2)
                .anyMatch(it -> it.contains("LocatorChecksTest$Root.inherited leads from")
                        && it.contains("to dev.exactlyonce.deploy.LocatorChecksTest$Other.receive, which is not"))
                .anyMatch(it -> it.contains("LocatorChecksTest$Between.astray leads from"));
    }

    @Test
    void whereTheReturnTypeDoesNotTellItIsAWarning() {
        assertThat(checked(List.of(Open.class), Set.of(Open.class), Open.class, Bound.class)
                        .warnings())
                .hasSize(5)
                .anyMatch(it -> it.contains("Open.object leads from"))
                .anyMatch(it -> it.contains("Open.contract leads from"))
                .anyMatch(it -> it.contains("Open.someClass leads from"))
                .anyMatch(it -> it.contains("Open.generic leads from"))
                .anyMatch(it -> it.contains("Open.ofWhichABoundClassIsMade leads from"));
        assertThat(faults.all()).isEmpty();
    }

    @Test
    void aClassWhoseMethodsAloneAreBoundMayLeadAnywhere() {
        checked(List.of(Root.class), Set.of(), Root.class, Bound.class);
        assertThat(faults.all()).isEmpty();
    }

    @Test
    void aLocatorThatTakesTheBodyOrSuspendsBeforeABoundMethodIsAFault() {
        checked(List.of(Forms.class), Set.of(), Bound.class);
        assertThat(faults.all())
                .hasSize(2)
                .anyMatch(it -> it.contains("Forms.form leads to") && it.contains("takes a @FormParam"))
                .anyMatch(it -> it.contains("Forms.later leads to") && it.contains("is asynchronous"));
    }
}
