package dev.exactlyonce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A table in a document that is made from the code, between two comments of its name. */
public final class DocumentedTable {
    private DocumentedTable() {}

    /** What stands between {@code <!-- name -->} and {@code <!-- /name -->}, which are there once. */
    public static String in(String document, String name) throws IOException {
        String from = "<!-- " + name + " -->\n";
        String to = "<!-- /" + name + " -->";
        String text = Files.readString(Path.of(document));
        assertThat(text).containsOnlyOnce(from).containsOnlyOnce(to);
        return text.substring(text.indexOf(from) + from.length(), text.indexOf(to));
    }
}
