package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HierarchyTest {
    interface Named {
        void name(String name);
    }

    interface Receiver<T> extends Named {
        void receive(T body);
    }

    interface Other {
        static void receive(String body) {}
    }

    abstract static class Base implements Receiver<String> {
        @Override
        public void receive(String body) {}

        void count(int number) {}

        @SuppressWarnings("UnusedMethod") // looked at by reflection: private methods are not overridden
        private void hidden() {}
    }

    static class Hooks extends Base implements Other {
        @Override
        public void receive(String body) {}

        @Override
        public void name(String name) {}

        @Override
        void count(int number) {}

        void count(long number) {}

        void hidden() {}
    }

    private static Method method(String name, Class<?>... parameters) {
        try {
            return Hooks.class.getDeclaredMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aClassComesBeforeItsSuperclassesAndTheseBeforeTheirInterfaces() {
        assertThat(Hierarchy.of(Hooks.class))
                .containsExactly(Hooks.class, Base.class, Other.class, Receiver.class, Named.class);
    }

    @Test
    void anInterfaceHasItsOwnInterfacesAboveIt() {
        assertThat(Hierarchy.of(Receiver.class)).containsExactly(Receiver.class, Named.class);
    }

    @Test
    void nothingIsAboveObject() {
        assertThat(Hierarchy.of(Object.class)).isEmpty();
    }

    @Test
    void overriddenMethodsAreFoundInTheSuperclassFirstThenInInterfacesAlsoThroughGenerics() {
        assertThat(Hierarchy.overridden(method("receive", String.class)).map(Method::getDeclaringClass))
                .containsExactly(Base.class, Receiver.class);
        assertThat(Hierarchy.overridden(method("name", String.class)).map(Method::getDeclaringClass))
                .containsExactly(Named.class);
    }

    @Test
    void anOverloadAPrivateMethodAndAStaticOneAreNotOverridden() {
        assertThat(Hierarchy.overridden(method("count", long.class))).isEmpty();
        assertThat(Hierarchy.overridden(method("hidden"))).isEmpty();
        assertThat(Hierarchy.overridden(method("receive", String.class)))
                .noneMatch(it -> it.getDeclaringClass() == Other.class);
        assertThat(Arrays.stream(Other.class.getDeclaredMethods())).hasSize(1);
    }
}
