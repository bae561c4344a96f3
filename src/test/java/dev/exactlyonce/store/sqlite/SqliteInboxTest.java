package dev.exactlyonce.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.InboxRow;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.testkit.InboxStoreContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SqliteInboxTest extends InboxStoreContract {
    @TempDir
    Path folder;

    @Override
    protected IdempotencyStore open(InstantSource settable) {
        return new SqliteStore(new SqliteSettings(folder.resolve("keys.db"), Duration.ofSeconds(30)), settable);
    }

    private Connection plainConnection() throws Exception {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("keys.db"));
    }

    @Test
    void aCommitThatFailsLeavesNeitherRecordNorRow() throws Exception {
        store(claim("before"), "paid");
        inbox.done(only("me"));
        try (Connection connection = plainConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TRIGGER full BEFORE INSERT ON exactly_once_inbox"
                    + " BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END");
        }
        Claim refused = claim("k");
        assertThatThrownBy(() -> store(refused, "paid")).isInstanceOf(StoreUnavailableException.class);
        try (Connection connection = plainConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TRIGGER full");
        }

        assertThat(store.find(refused.key())).isEmpty();
        assertNothingIsDue();
        assertThat(store(claim("k"), "paid")).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void whatWasStoredIsThereAfterAReopeningAndNothingIsLeftOfWhatIsDone() throws Exception {
        store(claim("k"), "first", "second");
        store.close();
        store = open(clock);
        inbox = store.inbox().orElseThrow();
        InboxRow first = only("me");
        inbox.done(first);
        inbox.done(only("me"));

        try (Connection connection = plainConnection();
                Statement statement = connection.createStatement();
                ResultSet left = statement.executeQuery("SELECT COUNT(*) FROM exactly_once_delivery")) {
            assertThat(left.getInt(1)).isZero();
        }
    }
}
