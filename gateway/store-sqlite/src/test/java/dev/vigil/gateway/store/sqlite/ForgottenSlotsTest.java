package dev.vigil.gateway.store.sqlite;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slots of reserved names that come and go leave nothing behind. */
class ForgottenSlotsTest {
  private static final int ROUNDS = 12;
  private static final int SLOTS = 1000;

  /** The number of cleared slots that may stay until the store is closed. */
  private static final int STAYING = 4096 + 1024;

  private static final EndpointName RECORDS = mote(".records/test");

  @TempDir Path folder = Path.of("");

  private SqliteStore open() {
    return SqliteStore.open(folder, System::nanoTime);
  }

  private static Fact[] facts(int round, IntFunction<Fact> fact) {
    return IntStream.range(round * SLOTS, (round + 1) * SLOTS).mapToObj(fact).toArray(Fact[]::new);
  }

  private long rows(String condition) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("vigil.db"));
        ResultSet row =
            connection
                .createStatement()
                .executeQuery("SELECT count(*) FROM fact WHERE " + condition)) {
      return row.getLong(1);
    }
  }

  @Test
  void slotsThatCameAndWentLeaveHeapAndDatabase() throws Exception {
    long version;
    try (SqliteStore store = open()) {
      committed(store, plain(RECORDS, fact("record/kept", 1, "here")));
      for (int round = 0; round < ROUNDS; round++) {
        committed(store, plain(RECORDS, facts(round, i -> fact("record/" + i, 1, "here"))));
        committed(store, plain(RECORDS, fact("audit", Fact.KEEP_ALL, "round " + round)));
        committed(store, plain(RECORDS, facts(round, i -> Fact.none("record/" + i))));
      }
      // The store forgets slots after it answers a batch.
      committed(store, plain(mote("other"), fact("rd", 1, "here")));
      version = committed(store, plain(RECORDS, fact("record/5", 1, "again"))).version();
      assertThat(rows("length(body) = 0")).isLessThanOrEqualTo(STAYING);
    }
    assertThat(rows("length(body) = 0")).as("after a clean end").isZero();
    assertThat(rows("slot LIKE 'record/%'")).isEqualTo(2);
    try (SqliteStore store = open()) {
      List<String> slots = new ArrayList<>();
      store
          .changes(RECORDS, 0, change -> change.facts().forEach(fact -> slots.add(fact.slot())))
          .close();
      assertThat(slots).contains("record/kept", "record/5").hasSize(2 + ROUNDS);
      assertThat(history(store, RECORDS, "record/5")).containsExactly("again");
      assertThat(history(store, RECORDS, "record/6")).isEmpty();
      assertThat(committed(store, plain(RECORDS, fact("record/6", 1, "new"))).version())
          .isEqualTo(version + 1);
    }
  }

  @Test
  void theRowThatHoldsTheVersionStays() {
    long version;
    try (SqliteStore store = open()) {
      committed(store, plain(RECORDS, fact("record/a", 1, "here"), fact("record/b", 1, "here")));
      version = committed(store, plain(RECORDS, Fact.none("record/a"))).version();
      committed(store, plain(mote("other"), fact("rd", 1, "here")));
    }
    for (int i = 0; i < 2; i++) {
      try (SqliteStore store = open()) {
        assertThat(store.endpoint(RECORDS).orElseThrow().version()).isEqualTo(version);
        assertThat(history(store, RECORDS, "record/b")).containsExactly("here");
      }
    }
  }

  @Test
  void anEndpointKeepsTheRowThatSaysItsSlotIsEmpty() throws Exception {
    try (SqliteStore store = open()) {
      committed(store, numbered(mote("mote"), 1, fact("ms", 1, "here"), fact("key", 1, "k")));
      committed(store, plain(mote("mote"), Fact.none("ms")));
      committed(store, plain(mote("mote"), fact("key", 1, "l")));
    }
    assertThat(rows("slot = 'ms' AND length(body) = 0")).isEqualTo(1);
  }
}
