package dev.vigil.gateway.store.sqlite;

import static dev.vigil.store.contract.StoreTesting.NOON;
import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.describe;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.feed;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.lasting;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.outcome;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bits that flip on the disk: the store reports them and never returns what nobody has written. */
class DamagedFileTest {
  private static final int VALUES = 60;

  /** More with: -Dvigil.flips=20000. */
  private static final int FLIPS = Integer.getInteger("vigil.flips", 300);

  @TempDir Path folder = Path.of("");

  private Path data = folder;
  private List<String> written = List.of();

  @BeforeEach
  void write() {
    data = folder.resolve("written");
    try (SqliteStore store = open()) {
      for (int i = 1; i <= VALUES; i++) {
        committed(store, numbered(mote("mote-" + i % 5), i, lasting("v", 4, "value " + i)));
        committed(store, plain(mote("mote-" + i % 7), fact("rd", 1, "links " + i)));
      }
      committed(store, plain(mote("mote-1"), fact("audit", Fact.KEEP_ALL, "trusted")));
      committed(store, plain(mote("mote-2"), Fact.none("rd")));
      assertThat(store.olderFacts().octets()).isZero();
    }
    // Superseded rows become older facts when the store is closed.
    try (SqliteStore store = open()) {
      assertThat(store.olderFacts().octets()).isPositive();
      written = content(store);
    }
  }

  private SqliteStore open() {
    return SqliteStore.open(data, System::nanoTime);
  }

  /** All that a store returns: endpoints, the feed, histories with older facts, and the trail. */
  private static List<String> content(SqliteStore store) {
    List<String> content = new ArrayList<>();
    feed(store, 0).forEach(change -> content.add(describe(change)));
    for (int i = 0; i < 7; i++) {
      content.add(store.endpoint(mote("mote-" + i)).toString());
      content.add(history(store, mote("mote-" + i), "v").toString());
      content.add(history(store, mote("mote-" + i), "rd").toString());
    }
    for (Change entry : store.trail("audit", null, 0, 10)) {
      content.add(describe(entry));
    }
    for (Change entry : store.trailBack("audit", mote("mote-1"), Long.MAX_VALUE, 10)) {
      content.add(describe(entry));
    }
    content.add(store.newestTime() + " " + NOON);
    return content;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ord = 9",
        "endpoint = 2",
        "slot = 'w'",
        "keep = 1",
        "sequence = 1",
        "high = 1",
        "version = 1",
        "at = 1",
        "body = x''",
        "body = zeroblob(length(body) + 1)"
      })
  void theStartFindsAChangedFactAnywhereInTheFeed(String change) throws Exception {
    sql("UPDATE fact SET %s WHERE position = (SELECT min(position) FROM fact)".formatted(change));
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("vigil.db is damaged (row [")
        .hasMessageContaining("] of fact): put a backup in its place");
  }

  @ParameterizedTest
  @CsvSource({"id = 'z'", "d = 'd'", "ep = 'other'", "ep = ''"})
  void theStartFindsAChangedEndpoint(String change) throws Exception {
    sql("UPDATE endpoint SET %s WHERE number = 3".formatted(change));
    assertThatThrownBy(this::open)
        .hasMessageContaining("vigil.db is damaged (row [3] of endpoint)");
  }

  @Test
  void theStartFindsThatAnEndpointIsMissing() throws Exception {
    sql("DELETE FROM endpoint WHERE number = 3");
    assertThatThrownBy(this::open)
        .hasMessageContaining("vigil.db is damaged (the row of endpoint 3 is missing)");
  }

  @Test
  void aChangedBodyIsFoundWhenItIsRead() throws Exception {
    sql(
        "UPDATE fact SET body = zeroblob(length(body)) WHERE position ="
            + " (SELECT max(position) FROM fact WHERE slot = 'v')");
    try (SqliteStore store = open()) {
      assertThat(store.damage()).isNotDone();
      String damaged = "mote-" + VALUES % 5;
      assertThat(history(store, mote("mote-1"), "v")).hasSize(VALUES / 5);
      assertDamaged(() -> history(store, mote(damaged), "v"));
      assertDamaged(() -> store.historyBack(mote(damaged), "v", Long.MAX_VALUE, 1));
      assertDamaged(() -> store.changes(0, change -> {}));
      assertDamaged(() -> store.present(change -> {}));
      assertDamaged(() -> store.page(0, 1000));
      assertThat(store.damage()).isDone();
    }
  }

  /** With the command of docs/guide/repair.md. */
  @Test
  void theStoreOpensWithoutTheRowThatWasNamed() throws Exception {
    sql("UPDATE fact SET high = 1 WHERE position = 97");
    assertThatThrownBy(this::open).hasMessageContaining("row [97, 0] of fact");
    sql("DELETE FROM fact WHERE position = 97 AND ord = 0");
    try (SqliteStore store = open()) {
      assertThat(history(store, mote("mote-4"), "v")).hasSize(VALUES / 5 - 1);
    }
  }

  @Test
  void aBackupOfADamagedFileIsRefused() throws Exception {
    sql("UPDATE older_facts SET content = zeroblob(length(content)) WHERE number = 2");
    Path copy = folder.resolve("copy.db");
    assertThatThrownBy(() -> SqliteFiles.copy(data, copy))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("vigil.db is damaged (row [2] of older_facts)");
    assertThat(copy).doesNotExist();
  }

  private static void assertDamaged(Runnable read) {
    assertThatThrownBy(read::run)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is damaged (row [");
  }

  @ParameterizedTest
  @ValueSource(strings = {"facts = 1", "content = x'00'", "content = zeroblob(length(content))"})
  void aChangedGroupOfOlderFactsIsFoundWhenItIsRead(String change) throws Exception {
    sql("UPDATE older_facts SET " + change);
    try (SqliteStore store = open()) {
      assertThatThrownBy(() -> history(store, mote("mote-1"), "v"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(" of older_facts)");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "older_slot, SET slot = 'w' WHERE number = 1",
    "older_slot, SET endpoint = 7 WHERE number = 1",
    "older_slot, SET shares = shares + 1 WHERE number = 2",
    "older_facts, SET last_at = 1 WHERE number = 2",
    "older_facts, SET last_sequence = 1 WHERE number = 4",
    "older_facts, SET slot = 3 WHERE number = 4"
  })
  void theStartFindsGroupsOfOlderFactsThatNobodyWouldFind(String table, String change)
      throws Exception {
    sql("UPDATE %s %s".formatted(table, change));
    assertThatThrownBy(this::open).hasMessageContaining("vigil.db is damaged (");
  }

  /** Rows that leave the feed must not receive a new checksum for damaged content. */
  @Test
  void damagedRowsDoNotBecomeOlderFacts() throws Exception {
    sql("UPDATE fact SET body = zeroblob(length(body)) WHERE slot = 'v'");
    try (SqliteStore store = open()) {
      for (int i = 1; i <= 5; i++) {
        committed(store, numbered(mote("mote-1"), VALUES + i, lasting("v", 4, "new " + i)));
      }
      assertThat(store.damage()).isNotDone();
    }
    try (SqliteStore store = open()) {
      assertThatThrownBy(() -> history(store, mote("mote-1"), "v"))
          .hasMessageContaining("is damaged");
      assertThat(outcome(store, numbered(mote("mote-1"), VALUES + 5, fact("v", 4, "again"))))
          .isEqualTo(new SubmitResult.SequenceUsed(VALUES + 5));
    }
  }

  /** Also shows that rows that vanish with the structure around them are missed. */
  @Test
  void aFlippedBitAnywhereIsReportedOrChangesNothing() throws Exception {
    byte[] intact = Files.readAllBytes(data.resolve("vigil.db"));
    Random random = new Random(20_120_415);
    int reported = 0;
    for (int i = 0; i < FLIPS; i++) {
      byte[] flipped = intact.clone();
      int bit = random.nextInt(8 * flipped.length);
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      reported += reports(i, bit, flipped) ? 1 : 0;
    }
    assertThat(reported).isGreaterThan(FLIPS / 20);
  }

  private boolean reports(int round, int bit, byte[] flipped) throws IOException {
    data = folder.resolve("flipped-" + round);
    Files.createDirectory(data);
    Files.write(data.resolve("vigil.db"), flipped);
    try (SqliteStore store = open()) {
      assertThat(content(store)).as("bit %d", bit).isEqualTo(written);
      return false;
    } catch (StoreException e) {
      return true;
    }
  }

  private void sql(String sql) throws SQLException {
    try (Connection side = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("vigil.db"));
        Statement statement = side.createStatement()) {
      statement.execute(sql);
    }
  }
}
