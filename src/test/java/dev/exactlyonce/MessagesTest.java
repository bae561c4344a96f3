package dev.exactlyonce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MessagesTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path DOCUMENT = Path.of("doc/messages.md");
    private static final Pattern ID = Pattern.compile("EXON\\d{4}");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (EXON\\d{4}) \\|( [^|]+ \\|){4}$");

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> idsInTheCode() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(it -> it.toString().endsWith(".java"))
                    .flatMap(it -> ID.matcher(read(it)).results().map(MatchResult::group).toList().stream())
                    .sorted()
                    .toList();
        }
    }

    private static List<String> idsInTheDocument() {
        return ROW.matcher(read(DOCUMENT)).results().map(it -> it.group(1)).toList();
    }

    @Test
    void everyIdStandsInOnePlaceOfTheCode() throws Exception {
        assertThat(idsInTheCode()).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void everyIdIsDocumentedAndEveryDocumentedIdIsInUse() throws Exception {
        assertThat(idsInTheDocument()).isEqualTo(idsInTheCode());
    }

    @Test
    void theDocumentHasNoRowThatThisTestDoesNotRead() {
        assertThat(read(DOCUMENT).lines().filter(it -> it.startsWith("| EXON"))).hasSameSizeAs(idsInTheDocument());
    }
}
