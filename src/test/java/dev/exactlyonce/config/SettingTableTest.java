package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.DocumentedTable;
import dev.exactlyonce.spi.StoreProvider;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SettingTableTest {
    private static final String DOCUMENT = "doc/configuration.md";
    private static final List<StoreProvider> STORES = StoreProviders.ofThisApplication().all().stream()
            .filter(it -> !it.settings().isEmpty())
            .filter(it -> it.getClass().getName().startsWith("dev.exactlyonce.store."))
            .toList();

    @Test
    void theDocumentedSettingsAreThoseOfTheCode() throws Exception {
        assertThat(DocumentedTable.in("doc/turns.md", "turn-settings")).isEqualTo(SettingTable.of(TurnSettings.ALL));
        assertThat(DocumentedTable.in(DOCUMENT, "settings")).isEqualTo(SettingTable.of(GlobalSettings.ALL));
        assertThat(DocumentedTable.in(DOCUMENT, "source-settings")).isEqualTo(SettingTable.of(PerSourceSettings.ALL));
    }

    @TestFactory
    Stream<DynamicTest> theDocumentedSettingsOfAStoreAreThoseOfItsProvider() {
        return STORES.stream()
                .map(store -> DynamicTest.dynamicTest(
                        store.name(),
                        () -> assertThat(DocumentedTable.in(DOCUMENT, store.name() + "-settings"))
                                .isEqualTo(SettingTable.of(store.settings()))));
    }

    @Test
    void everySettingHasARowOfFourCells() {
        assertThat(Stream.concat(
                                Stream.of(
                                        GlobalSettings.ALL,
                                        TurnSettings.ALL,
                                        PerSourceSettings.ALL,
                                        SendingSettings.ALL,
                                        PerEndpointSettings.ALL),
                                STORES.stream().map(StoreProvider::settings))
                        .map(SettingTable::of)
                        .flatMap(String::lines))
                .hasSizeGreaterThan(80)
                .allMatch(it ->
                        it.replace("\\|", "").chars().filter(c -> c == '|').count() == 5);
    }
}
