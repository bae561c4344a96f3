package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.MalformedQueryException;
import jakarta.ws.rs.core.UriInfo;
import java.lang.reflect.Proxy;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawQueryTest {
    @Test
    void valuesAreDecodedInTheirOrder() {
        RawQuery query = new RawQuery("a=1&b=%C3%A9&a=x+y&c&&=z&%61=2&a=\u00c3\u00a9");
        assertThat(query.values("a")).containsExactly("1", "x y", "2", "\u00e9");
        assertThat(query.values("b")).containsExactly("\u00e9");
        assertThat(query.values("c")).containsExactly("");
        assertThat(query.values("")).containsExactly("z");
        assertThat(query.values("d")).isEmpty();
        assertThat(new RawQuery("").values("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%zz", "%", "%ff", "%C3", "\u00ff", "\u20ac"})
    void aParameterThatIsMalformedIsToldOnlyToWhoAsksForIt(String odd) {
        RawQuery query = new RawQuery("id=1&x=" + odd + "&" + odd + "=1&tags=a|b{\"<^`");
        assertThat(query.values("id")).containsExactly("1");
        assertThat(query.values("tags")).containsExactly("a|b{\"<^`");
        assertThatThrownBy(() -> query.values("x"))
                .isInstanceOf(MalformedQueryException.class)
                .hasMessage("The query parameter x is not percent-encoded UTF-8.");
    }

    /** As Open Liberty shows it: parsed when it is asked for. */
    private static UriInfo uri(String written) {
        return (UriInfo) Proxy.newProxyInstance(
                RawQueryTest.class.getClassLoader(), new Class<?>[] {UriInfo.class}, (proxy, method, none) -> {
                    assertThat(method.getName()).isEqualTo("getRequestUri");
                    return URI.create(written);
                });
    }

    @Test
    void withoutTheServletApiTheQueryIsThatOfTheUri() {
        ContainerQuery queries = new ContainerQuery();
        assertThat(queries.of(uri("http://a/b?x=%7C&y"))).isEqualTo(new RawQuery("x=%7C&y"));
        assertThat(queries.of(uri("http://a/b"))).isEqualTo(new RawQuery(""));
        assertThatThrownBy(() -> queries.of(uri("http://a/b?tags=a|b"))).isInstanceOf(MalformedQueryException.class);
    }
}
