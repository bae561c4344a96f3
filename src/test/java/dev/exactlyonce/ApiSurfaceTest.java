package dev.exactlyonce;

import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is API, what is SPI, and that everything else says that it is internal. */
class ApiSurfaceTest {
    private static final String ROOT = "dev.exactlyonce";
    private static final Path SOURCES = Path.of("src/main/java/dev/exactlyonce");
    private static final Set<String> API = Set.of(ROOT, ROOT + ".event");
    private static final Set<String> SPI = Set.of(ROOT + ".spi");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    private static Stream<JavaClass> publicTypesOf(Set<String> packages) {
        return CLASSES.stream()
                .filter(it -> packages.contains(it.getPackageName()))
                .filter(it -> it.getModifiers().contains(PUBLIC));
    }

    /** The types that a type's public and protected members, supertypes and exceptions mention. */
    private static Stream<JavaClass> mentionedBy(JavaClass type) {
        Stream<JavaType> supertypes = Stream.concat(type.getInterfaces().stream(), type.getSuperclass().stream());
        Stream<JavaType> fields =
                type.getFields().stream().filter(ApiSurfaceTest::isVisible).map(JavaField::getType);
        List<JavaCodeUnit> codeUnits =
                type.getCodeUnits().stream().filter(ApiSurfaceTest::isVisible).toList();
        Stream<JavaType> methods = codeUnits.stream()
                .flatMap(it -> Stream.concat(Stream.of(it.getReturnType()), it.getParameterTypes().stream()));
        return Stream.concat(
                Stream.of(supertypes, fields, methods)
                        .flatMap(it -> it)
                        .flatMap(it -> it.getAllInvolvedRawTypes().stream()),
                codeUnits.stream().flatMap(it -> it.getThrowsClause().getTypes().stream()));
    }

    private static boolean isVisible(JavaMember member) {
        return member.getModifiers().contains(PUBLIC) || member.getModifiers().contains(PROTECTED);
    }

    private static Set<String> foreignTypes(Set<String> packages, Set<String> allowed) {
        return publicTypesOf(packages)
                .flatMap(type -> mentionedBy(type)
                        .map(JavaClass::getBaseComponentType)
                        .filter(it -> !it.isPrimitive() && !it.getName().equals("void"))
                        .filter(it -> !allowed.contains(it.getPackageName()))
                        .filter(it -> !it.getPackageName().startsWith("java."))
                        .map(it -> type.getName() + " mentions " + it.getName()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void apiTypesMentionApiAndJdkTypesAlone() {
        assertThat(foreignTypes(API, API)).isEmpty();
    }

    @Test
    void spiTypesMentionSpiAndApiAndJdkTypesAlone() {
        assertThat(foreignTypes(SPI, Stream.concat(API.stream(), SPI.stream()).collect(Collectors.toSet())))
                .isEmpty();
    }

    @Test
    void noSimpleNameStandsForTwoThings() {
        Map<String, Set<String>> types = new TreeMap<>();
        CLASSES.stream()
                .filter(it -> !it.isAnonymousClass() && !it.isLocalClass())
                .filter(it -> !Set.of("Builder", "package-info", "").contains(it.getSimpleName()))
                .forEach(it -> types.computeIfAbsent(it.getSimpleName(), name -> new TreeSet<>())
                        .add(it.getName()));
        types.values().removeIf(it -> it.size() == 1);
        assertThat(types.values()).isEmpty();
    }

    @Test
    void everyTypeOfTheApiAndTheSpiSaysSinceWhenAndShowsCode() throws IOException {
        for (Path folder : List.of(SOURCES, SOURCES.resolve("spi"))) {
            for (Path file : javaFiles(folder, 1)) {
                String text = Files.readString(file);
                if (!file.endsWith("package-info.java") && text.contains("\npublic ")) {
                    assertThat(text).as(file.toString()).contains(" * @since ");
                    assertThat(text).as(file.toString()).contains(" * <pre>");
                }
            }
        }
    }

    @Test
    void everyOtherPackageSaysThatItIsInternal() throws IOException {
        Set<String> unmarked = new TreeSet<>();
        for (Path file : javaFiles(SOURCES, 9)) {
            String folder = SOURCES.relativize(file.getParent()).toString().replace('\\', '/');
            if (file.endsWith("package-info.java")
                    && !Set.of("", "event", "sender", "sender/spi", "spi").contains(folder)
                    && !Files.readString(file).contains("Internal")) {
                unmarked.add(folder);
            }
        }
        assertThat(unmarked).isEmpty();
    }

    private static List<Path> javaFiles(Path folder, int depth) throws IOException {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.filter(it -> it.toString().endsWith(".java")).toList();
        }
    }
}
