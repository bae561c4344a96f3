package dev.exactlyonce.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.ExactlyOnce;
import jakarta.interceptor.InterceptorBinding;
import jakarta.ws.rs.POST;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SupertypeFaultsTest {
    @ExactlyOnce("demo")
    @InterceptorBinding
    @Retention(RetentionPolicy.RUNTIME)
    @interface Own {}

    @Own
    @Retention(RetentionPolicy.RUNTIME)
    @interface Around {}

    interface Contract {
        @Around
        void receive(String body);
    }

    static class Implementation implements Contract {
        @Override
        @POST
        public void receive(String body) {}
    }

    static class Base {
        @Own
        public void receive(String body) {}
    }

    static class Overriding extends Base {
        @Override
        @POST
        public void receive(String body) {}
    }

    @Around
    static class CarriesAsAClass {}

    static class Below extends CarriesAsAClass {
        @POST
        public void receive(String body) {}
    }

    static class Direct {
        @POST
        @ExactlyOnce("demo")
        public void receive(String body) {}
    }

    private static Method receive(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(it -> it.getName().equals("receive"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anAnnotationThatCarriesABindingOnAnInterfaceOrAnOverriddenMethodIsAFault() {
        BindingFaults faults = new BindingFaults();
        SupertypeFaults above = new SupertypeFaults(faults, BindingAnnotations::anyOn);
        above.find(Implementation.class);
        above.find(Overriding.class);
        assertThat(faults.all())
                .hasSize(2)
                .anyMatch(it -> it.contains("Contract is an interface, whose bindings CDI ignores"))
                .anyMatch(it -> it.contains("Base.receive is overridden by Overriding"));
    }

    @Test
    void anAnnotationThatCarriesABindingIsFoundOnTheMethodItsClassAndSuperclasses() {
        assertThat(BindingAnnotations.indirect(Below.class, receive(Below.class)))
                .contains(Around.class);
        assertThat(BindingAnnotations.indirect(Overriding.class, receive(Overriding.class)))
                .contains(Own.class);
        assertThat(BindingAnnotations.indirect(Direct.class, receive(Direct.class)))
                .isEmpty();
        assertThat(BindingAnnotations.indirect(Implementation.class, receive(Implementation.class)))
                .isEmpty();
    }

    @Test
    void whatAsksForAdmissionIsFoundByReflectionAlone() {
        assertThat(BindingAnnotations.anyOnMethod(Direct.class, receive(Direct.class)))
                .isTrue();
        assertThat(BindingAnnotations.anyOnMethod(Implementation.class, receive(Implementation.class)))
                .isTrue();
        assertThat(BindingAnnotations.anyOnClass(Below.class)).isTrue();
        assertThat(BindingAnnotations.anyOnClass(Direct.class)).isFalse();
    }
}
