package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BindingsTest {
    static class Hooks {
        public void receive(String body) {}

        public void receive(byte[] body) {}

        public void status() {}
    }

    /** As a container's proxy or intercepted subclass is. */
    static class Generated extends Hooks {
        @Override
        public void receive(String body) {}
    }

    static class Unbound {
        public void receive(String body) {}
    }

    private static final Binding BINDING = new Binding(
            "github", Optional.empty(), "POST", new Binding.Paths("/hooks", "", Set.of("/hooks"), Set.of()));

    private final Bindings bindings =
            Bindings.of(Map.of(Hooks.class, Map.of(method(Hooks.class, String.class), BINDING)), Set.of(Hooks.class));

    private static Method method(Class<?> type, Class<?> parameter) {
        try {
            return type.getDeclaredMethod("receive", parameter);
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aBoundMethodIsFoundBySignature() throws Exception {
        assertThat(bindings.find(Hooks.class, method(Hooks.class, String.class)))
                .contains(BINDING);
        assertThat(bindings.find(Hooks.class, method(Hooks.class, byte[].class)))
                .isEmpty();
        assertThat(bindings.find(Hooks.class, Hooks.class.getDeclaredMethod("status")))
                .isEmpty();
    }

    @Test
    void aMethodOfTheClassThatTheContainerMadeIsTheBeansOwn() {
        assertThat(bindings.find(Generated.class, method(Generated.class, String.class)))
                .contains(BINDING);
        assertThat(bindings.find(Generated.class, method(Hooks.class, String.class)))
                .contains(BINDING);
        assertThat(bindings.knows(Generated.class)).isTrue();
    }

    @Test
    void anotherClassIsUnknown() {
        assertThat(bindings.find(Unbound.class, method(Unbound.class, String.class)))
                .isEmpty();
        assertThat(bindings.knows(Unbound.class)).isFalse();
        assertThat(bindings.knows(Object.class)).isFalse();
    }

    @Test
    void aSubclassThatIsABeanOfItsOwnHasItsOwnBindingsOnly() {
        Bindings both = Bindings.of(
                Map.of(Hooks.class, Map.of(method(Hooks.class, String.class), BINDING), Generated.class, Map.of()),
                Set.of());
        assertThat(both.find(Generated.class, method(Generated.class, String.class)))
                .isEmpty();
        assertThat(both.knows(Generated.class)).isTrue();
    }

    @Test
    void theTableDoesNotChangeAfterwards() {
        Map<Class<?>, Map<Method, Binding>> source = new HashMap<>();
        source.put(Hooks.class, new HashMap<>());
        Bindings table = Bindings.of(source, Set.of());
        source.get(Hooks.class).put(method(Hooks.class, String.class), BINDING);
        source.put(Unbound.class, Map.of());
        assertThat(table.find(Hooks.class, method(Hooks.class, String.class))).isEmpty();
        assertThat(table.knows(Unbound.class)).isFalse();
    }
}
