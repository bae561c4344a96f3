package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ejb.Asynchronous;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceMethodTest {
    @HttpMethod("NOTIFY")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Notify {}

    @Path("/api/{tenant}")
    interface Api {
        @POST
        @Path("in/{id: [0-9]{3}}")
        void receive(String body);

        @PUT
        void replace(String body);
    }

    static class Implementation implements Api {
        @Override
        public void receive(String body) {}

        @Override
        @POST
        public void replace(String body) {}

        public void helper() {}
    }

    @Path("own")
    static class WithAPathOfItsOwn extends Implementation {}

    static class WithAParameterAnnotation extends Implementation {
        @Override
        public void receive(@QueryParam("q") String body) {}
    }

    static class Unaware {
        public void receive(String body) {}
    }

    @Path("joined")
    static class Joined extends Unaware implements Api {
        @Override
        public void replace(String body) {}
    }

    @HttpMethod("post")
    @Retention(RetentionPolicy.RUNTIME)
    @interface LowerCasePost {}

    static class Several {
        @GET
        @LowerCasePost
        public void any() {}
    }

    static class Background {
        @Asynchronous
        public void forgotten() {}

        @Asynchronous
        public CompletionStage<String> awaited() {
            return CompletableFuture.completedStage("done");
        }
    }

    static class Various {
        @GET
        public void read() {}

        @Notify
        public void tell() {}

        public void suspended(@Suspended AsyncResponse response) {}

        public void events(@Context SseEventSink sink, @Context Sse sse) {}

        public void plain(String body) {}
    }

    static class Plain {
        public void anything() {}
    }

    static class Fields {
        @FormParam("f")
        String field = "";

        public void post(String body) {}
    }

    static class SubclassOfFields extends Fields {
        @Override
        public void post(String body) {}
    }

    static class Setter {
        @FormParam("f")
        public void setField(String value) {}

        public void post(String body) {}
    }

    static class Constructed {
        Constructed(@FormParam("f") String value) {}

        public void post(String body) {}
    }

    static class Recursive {
        @BeanParam
        Recursive self = this;

        @QueryParam("q")
        String query = "";
    }

    static class Parameters {
        public void direct(@FormParam("f") String value) {}

        public void bean(@BeanParam Fields bean) {}

        public void harmlessBean(@BeanParam Recursive bean) {}

        public void query(@QueryParam("q") String value) {}
    }

    static class BeanInAField {
        @BeanParam
        Constructed bean = new Constructed("");

        public void post(String body) {}
    }

    interface AnnotatedContract {
        @POST
        void suspended(String body, @Suspended AsyncResponse response);

        @POST
        void form(@FormParam("f") String value);

        @POST
        void bean(@BeanParam Fields bean);

        @POST
        void sink(@Context SseEventSink sink);
    }

    static class WithoutAnnotations implements AnnotatedContract {
        @Override
        public void suspended(String body, AsyncResponse response) {}

        @Override
        public void form(String value) {}

        @Override
        public void bean(Fields bean) {}

        @Override
        public void sink(SseEventSink sink) {}
    }

    static class WithAnnotationsOfItsOwn extends WithoutAnnotations {
        @Override
        @POST
        public void suspended(String body, AsyncResponse response) {}

        @Override
        @PUT
        public void form(@QueryParam("f") String value) {}
    }

    static class InheritsAll extends WithoutAnnotations {}

    interface GenericContract<T, R> {
        @POST
        @Path("generic")
        R receive(T body);
    }

    static class Concrete implements GenericContract<String, CompletionStage<String>> {
        @Override
        public CompletableFuture<String> receive(String body) {
            return CompletableFuture.completedFuture(body);
        }
    }

    abstract static class GenericBase<T, R> implements GenericContract<T, R> {
        @Override
        public R receive(@BeanParam T body) {
            throw new IllegalStateException();
        }
    }

    static class OfAFuture extends GenericBase<String, Future<String>> {}

    static class OfAForm extends GenericBase<Fields, String> {}

    static class OfAStage extends GenericBase<String, CompletionStage<String>> {}

    static class SinkInAField {
        @Context
        SseEventSink sink;

        @POST
        public void receive(String body) {}
    }

    static class StageBesideASuspendedResponse {
        @POST
        public CompletionStage<String> receive(@Suspended AsyncResponse response) {
            return CompletableFuture.completedStage("done");
        }
    }

    @Asynchronous
    @Retention(RetentionPolicy.RUNTIME)
    @interface Later {}

    @Later
    static class LaterBase {}

    static class InheritsLater extends LaterBase {
        @POST
        public void receive(String body) {}
    }

    interface WithADefault {
        @POST
        default void receive(String body) {}
    }

    static class TakesTheDefault implements WithADefault {}

    @Produces("application/json")
    interface ProducesAsAType {
        @POST
        String receive(String body);
    }

    static class ProducesByItsInterface implements ProducesAsAType {
        @Override
        public String receive(String body) {
            return body;
        }
    }

    @Produces("text/plain")
    static class ProducesItself extends ProducesByItsInterface {}

    static class LeadsOn<T> {
        @Path("class")
        public Class<Concrete> ofAClass() {
            return Concrete.class;
        }

        @Path("unknown")
        public Class<?> ofSomeClass() {
            return Concrete.class;
        }

        @Path("variable")
        public T ofAVariable() {
            throw new IllegalStateException();
        }

        @Path("itself")
        public Concrete itself() {
            return new Concrete();
        }
    }

    static class LeadsToStrings extends LeadsOn<Concrete> {}

    interface LocatorContract {
        @Path("above")
        Object located();
    }

    static class LeadsByContract implements LocatorContract {
        @Override
        public Concrete located() {
            return new Concrete();
        }
    }

    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(it -> it.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static boolean takesForm(Class<?> type, String name) {
        return of(type, method(type, name)).takesFormParameters();
    }

    private static ResourceMethod of(Class<?> type, Method method) {
        return ResourceMethod.of(type, method);
    }

    private static PathTemplate whole(Class<?> type, Method method) {
        return PathTemplate.of(ResourceClass.path(type).orElse(""))
                .then(of(type, method).template());
    }

    @Test
    void theHttpMethodIsTheAnnotationsOwnAlsoOneOfTheApplications() {
        assertThat(of(Various.class, method(Various.class, "read")).httpMethod())
                .contains("GET");
        assertThat(of(Various.class, method(Various.class, "tell")).httpMethod())
                .contains("NOTIFY");
        assertThat(of(Various.class, method(Various.class, "plain")).httpMethod())
                .isEmpty();
    }

    @Test
    void aMethodWithoutJaxRsAnnotationsTakesThoseOfTheOneItImplements() {
        Method receive = method(Implementation.class, "receive");
        assertThat(of(Implementation.class, receive).httpMethod()).contains("POST");
        assertThat(whole(Implementation.class, receive).text()).isEqualTo("/api/{tenant}/in/{id}");
        assertThat(whole(Implementation.class, receive).parameters()).containsExactly("tenant", "id");
    }

    @Test
    void anHttpMethodOfItsOwnEndsTheInheritance() {
        assertThat(of(Implementation.class, method(Implementation.class, "replace"))
                        .httpMethod())
                .contains("POST");
    }

    @Test
    void aMethodWithOtherJaxRsAnnotationsIsStillServedSoThatItMustBeAdmitted() {
        Method annotated = method(WithAParameterAnnotation.class, "receive");
        assertThat(of(WithAParameterAnnotation.class, annotated).httpMethod()).contains("POST");
        assertThat(whole(WithAParameterAnnotation.class, annotated).text()).isEqualTo("/api/{tenant}/in/{id}");
    }

    @Test
    void anInterfaceOfTheClassMakesAnInheritedMethodAResourceMethod() {
        assertThat(of(Joined.class, method(Unaware.class, "receive")).httpMethod())
                .contains("POST");
    }

    @Test
    void severalHttpMethodsAreAllSeenAndInUpperCase() {
        assertThat(of(Several.class, method(Several.class, "any")).httpMethods())
                .containsExactlyInAnyOrder("GET", "POST");
    }

    @Test
    void asynchronousWorkWithoutAStageOutlivesItsReturn() {
        assertThat(of(Background.class, method(Background.class, "forgotten")).outlivesItsReturn())
                .isTrue();
        assertThat(of(Background.class, method(Background.class, "awaited")).outlivesItsReturn())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(classes = {WithoutAnnotations.class, WithAnnotationsOfItsOwn.class, InheritsAll.class})
    void whatAnInterfaceSaysOfParametersCountsForTheClassThatImplementsIt(Class<?> type) {
        assertThat(inherited(type, "suspended").outlivesItsReturn()).isTrue();
        assertThat(inherited(type, "sink").outlivesItsReturn()).isTrue();
        assertThat(inherited(type, "form").takesFormParameters()).isTrue();
        assertThat(inherited(type, "bean").takesFormParameters()).isTrue();
        assertThat(inherited(type, "form").outlivesItsReturn()).isFalse();
        assertThat(inherited(type, "suspended").takesFormParameters()).isFalse();
    }

    @Test
    void whatAnInterfacesTypeVariableStandsForInTheClassCounts() {
        ResourceMethod concrete = inherited(Concrete.class, "receive");
        assertThat(concrete.httpMethod()).contains("POST");
        assertThat(concrete.template().text()).isEqualTo("/generic");
        assertThat(concrete.outlivesItsReturn()).isFalse();
        assertThat(inherited(OfAStage.class, "receive").outlivesItsReturn()).isFalse();
        assertThat(inherited(OfAFuture.class, "receive").outlivesItsReturn()).isTrue();
        assertThat(inherited(OfAForm.class, "receive").takesFormParameters()).isTrue();
        assertThat(inherited(OfAFuture.class, "receive").takesFormParameters()).isFalse();
    }

    @Test
    void workOutlivesItsReturnAlsoByAFieldBesideAStageAndInsideAnotherAnnotation() {
        assertThat(inherited(SinkInAField.class, "receive").outlivesItsReturn()).isTrue();
        assertThat(inherited(StageBesideASuspendedResponse.class, "receive").outlivesItsReturn())
                .isTrue();
        assertThat(inherited(InheritsLater.class, "receive").outlivesItsReturn())
                .isTrue();
    }

    @Test
    void theDefaultMethodOfAnInterfaceIsAResourceMethodOfTheClass() {
        assertThat(inherited(TakesTheDefault.class, "receive").httpMethod()).contains("POST");
    }

    @Test
    void whatAMethodProducesIsSaidByItsClassOrTheTypeThatAnnotatesIt() {
        assertThat(produces(ProducesByItsInterface.class)).containsExactly("application/json");
        assertThat(produces(ProducesItself.class)).containsExactly("text/plain");
    }

    private static String[] produces(Class<?> type) {
        return inherited(type, "receive").produces().orElseThrow().value();
    }

    @Test
    void aLocatorLeadsToWhatItsReturnTypeTellsAlsoByAClassOrATypeVariable() {
        assertThat(inherited(LeadsOn.class, "itself").isLocator()).isTrue();
        assertThat(inherited(LeadsOn.class, "itself").located()).isEqualTo(Concrete.class);
        assertThat(inherited(LeadsOn.class, "ofAClass").located()).isEqualTo(Concrete.class);
        assertThat(inherited(LeadsOn.class, "ofSomeClass").located()).isEqualTo(Object.class);
        assertThat(inherited(LeadsOn.class, "ofAVariable").located()).isEqualTo(Object.class);
        assertThat(inherited(LeadsToStrings.class, "ofAVariable").located()).isEqualTo(Concrete.class);
        assertThat(inherited(LeadsByContract.class, "located").located()).isEqualTo(Concrete.class);
        assertThat(inherited(LeadsByContract.class, "located").isLocator()).isTrue();
        assertThat(inherited(Concrete.class, "receive").isLocator()).isFalse();
    }

    @Test
    void aPathAloneEndsTheSearchForAnHttpMethod() {
        Method located = method(LeadsByContract.class, "located");
        assertThat(of(LeadsByContract.class, located).httpMethods()).isEmpty();
        assertThat(ResourceClass.locators(LeadsByContract.class)).hasSize(1);
    }

    private static ResourceMethod inherited(Class<?> type, String name) {
        return ResourceMethod.all(type).stream()
                .filter(it -> it.method().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theNearestPathOfAClassCounts() {
        assertThat(whole(WithAPathOfItsOwn.class, method(Implementation.class, "helper"))
                        .text())
                .isEqualTo("/own");
    }

    @Test
    void aClassWithAPathOrAResourceMethodIsAResource() {
        assertThat(ResourceClass.isResource(Implementation.class)).isTrue();
        assertThat(ResourceClass.isResource(Various.class)).isTrue();
        assertThat(ResourceClass.isResource(Plain.class)).isFalse();
    }

    @Test
    void suspendedMethodsAndSendersOfEventsOutliveTheirReturn() {
        assertThat(of(Various.class, method(Various.class, "suspended")).outlivesItsReturn())
                .isTrue();
        assertThat(of(Various.class, method(Various.class, "events")).outlivesItsReturn())
                .isTrue();
        assertThat(of(Various.class, method(Various.class, "plain")).outlivesItsReturn())
                .isFalse();
    }

    @Test
    void aFormParameterIsFoundWhereverItIsInjected() {
        assertThat(takesForm(Parameters.class, "direct")).isTrue();
        assertThat(takesForm(Parameters.class, "bean")).isTrue();
        assertThat(takesForm(Fields.class, "post")).isTrue();
        assertThat(takesForm(SubclassOfFields.class, "post")).isTrue();
        assertThat(takesForm(Setter.class, "post")).isTrue();
        assertThat(takesForm(Constructed.class, "post")).isTrue();
        assertThat(takesForm(BeanInAField.class, "post")).isTrue();
    }

    @Test
    void otherParametersAreNoFormAndBeansThatHoldEachOtherEnd() {
        assertThat(takesForm(Parameters.class, "query")).isFalse();
        assertThat(takesForm(Parameters.class, "harmlessBean")).isFalse();
        assertThat(takesForm(Various.class, "plain")).isFalse();
    }
}
