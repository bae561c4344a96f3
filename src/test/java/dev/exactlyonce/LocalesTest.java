package dev.exactlyonce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which unit tests run under further locales is a pattern in the POM, where a class that was renamed would go unnoticed. */
class LocalesTest {
    private static final Pattern CLASS = Pattern.compile("[A-Z][a-z]+[A-Za-z0-9]*");
    private static final Path TESTS = Path.of("src/test/java");

    private static String property(String name) throws IOException {
        Matcher property = Pattern.compile("<%1$s>%%regex\\[(.*)]</%1$s>".formatted(Pattern.quote(name)))
                .matcher(Files.readString(Path.of("pom.xml")));
        assertThat(property.find()).isTrue();
        return property.group(1);
    }

    private static Set<String> testClasses() throws IOException {
        try (Stream<Path> files = Files.walk(TESTS)) {
            return files.map(it -> TESTS.relativize(it).toString().replace('\\', '/'))
                    .filter(it -> it.endsWith("Test.java"))
                    .map(it -> it.replace(".java", ".class"))
                    .collect(Collectors.toSet());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"locales.included", "locales.excluded"})
    void everyClassThatThePatternNamesIsATestThatItMatches(String name) throws IOException {
        String pattern = property(name);
        Set<String> classes = testClasses();
        List<String> named = CLASS.matcher(pattern.replace("[A-Za-z0-9]*", "").replace("Test.class", ""))
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(named)
                .isNotEmpty()
                .allSatisfy(it -> assertThat(classes)
                        .anyMatch(test -> test.endsWith("/" + it + "Test.class") && test.matches(pattern)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"config", "source", "signature", "signature/oidc", "spi", "rest", "redis"})
    void everyTestOfAPackageThatThePatternNamesIsIncluded(String name) throws IOException {
        String pattern = property("locales.included");
        assertThat(pattern).containsPattern("[(|]" + name + "[|)]");
        assertThat(testClasses().stream().filter(it -> it.matches("dev/exactlyonce/" + name + "/[^/]*")))
                .isNotEmpty()
                .allMatch(it -> it.matches(pattern));
    }
}
