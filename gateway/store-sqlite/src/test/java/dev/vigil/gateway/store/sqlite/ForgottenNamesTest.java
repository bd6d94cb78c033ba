package dev.vigil.gateway.store.sqlite;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.outcome;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.store.sqlite.rows.CheckedTables;
import dev.vigil.store.Fact;
import dev.vigil.store.SubmitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that come and go leave nothing behind; a name that was ever trusted keeps its number. */
class ForgottenNamesTest {
  private static final int NAMES = 20_000;
  private static final int CHUNK = 2_000;

  /** The number of names that may stay until the store is closed. */
  private static final int STAYING = 4096 + 1024;

  @TempDir Path folder = Path.of("");

  private SqliteStore open() {
    return SqliteStore.open(folder, System::nanoTime);
  }

  /** Registers and removes many names. */
  private static void comeAndGo(SqliteStore store, String prefix) {
    for (int from = 0; from < NAMES; from += CHUNK) {
      List<CompletableFuture<SubmitResult>> pending = new ArrayList<>();
      for (int i = from; i < from + CHUNK; i++) {
        pending.add(store.submit(plain(mote(prefix + i), fact("rd", 1, "here"))));
        pending.add(store.submit(plain(mote(prefix + i), Fact.none("rd"))));
      }
      pending.forEach(CompletableFuture::join);
    }
  }

  private long rows(String table) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("vigil.db"));
        ResultSet row =
            connection.createStatement().executeQuery("SELECT count(*) FROM " + table)) {
      return row.getLong(1);
    }
  }

  @Test
  void aStartGivesTheRoomOfForgottenNamesBackToTheDisk() throws Exception {
    Path file = folder.resolve("vigil.db");
    try (SqliteStore store = open()) {
      List<CompletableFuture<SubmitResult>> pending = new ArrayList<>();
      for (int i = 0; i < 8_000; i++) {
        pending.add(store.submit(plain(mote("a" + i), fact("rd", 1, "x".repeat(1_000)))));
      }
      pending.forEach(CompletableFuture::join);
      pending.clear();
      for (int i = 1; i < 8_000; i++) {
        pending.add(store.submit(plain(mote("a" + i), Fact.none("rd"))));
      }
      pending.forEach(CompletableFuture::join);
    }
    assertThat(Files.size(file)).as("before").isGreaterThan(8_000_000);
    try (SqliteStore store = open()) {
      assertThat(Files.size(file)).isLessThan(200_000);
      assertThat(store.endpoint(mote("a0"))).isPresent();
    }
  }

  @Test
  void namesThatCameAndWentLeaveHeapAndDatabase() throws Exception {
    try (SqliteStore store = open()) {
      committed(store, plain(mote("kept"), fact("rd", 1, "here")));
      comeAndGo(store, "a");
      // The store forgets names after it answers a batch.
      committed(store, plain(mote("kept"), fact("rd", 1, "still here")));
      committed(store, plain(mote("kept"), fact("rd", 1, "again")));
      assertThat(store.endpoints()).isBetween(1, STAYING + 10);
      assertThat(rows("endpoint")).isLessThan(STAYING + 10);
      assertThat(store.endpoint(mote("a0"))).isEmpty();
      assertThat(store.endpoint(mote("a" + (NAMES - 1)))).as("it may come back soon").isPresent();
      assertThat(store.endpoint(mote("kept"))).isPresent();
    }
    assertThat(rows("endpoint")).as("after a clean end").isLessThanOrEqualTo(2);
    assertThat(rows("fact")).isLessThanOrEqualTo(2);
    try (SqliteStore store = open()) {
      assertThat(store.endpoints()).isLessThanOrEqualTo(2);
      List<String> feed = new ArrayList<>();
      store.changes(0, change -> feed.add(change.endpoint().ep())).close();
      assertThat(feed).contains("kept").hasSizeLessThanOrEqualTo(2);
    }
  }

  @Test
  void aNumberAndAnIdAreNeverUsedTwice() throws Exception {
    String last;
    long position;
    try (SqliteStore store = open()) {
      comeAndGo(store, "a");
      var change = committed(store, plain(mote("last"), fact("rd", 1, "here")));
      committed(store, plain(mote("last"), Fact.none("rd")));
      last = change.id();
      position = change.position();
    }
    try (SqliteStore store = open()) {
      var next = committed(store, plain(mote("next"), fact("rd", 1, "here")));
      assertThat(Long.parseLong(next.id(), 36)).isGreaterThan(Long.parseLong(last, 36));
      assertThat(next.position()).isGreaterThan(position);
      var again = committed(store, plain(mote("a0"), fact("rd", 1, "here")));
      assertThat(Long.parseLong(again.id(), 36)).isGreaterThan(Long.parseLong(next.id(), 36));
      assertThat(again.version()).isEqualTo(1);
    }
  }

  @Test
  void aNameThatWasTrustedKeepsItsNumberPermanently() throws Exception {
    try (SqliteStore store = open()) {
      committed(store, numbered(mote("trusted"), 7, fact("ms", 1, "lease"), fact("rd", 1, "x")));
      committed(store, plain(mote("trusted"), Fact.none("ms"), Fact.none("rd")));
      committed(store, plain(mote("audited"), fact("audit", Fact.KEEP_ALL, "line")));
      committed(store, plain(mote("other"), fact("rd", 1, "here")));
    }
    for (int i = 0; i < 2; i++) {
      try (SqliteStore store = open()) {
        assertThat(outcome(store, numbered(mote("trusted"), 7, fact("ms", 1, "again"))))
            .isEqualTo(new SubmitResult.SequenceUsed(7));
        assertThat(store.endpoint(mote("audited"))).isPresent();
      }
    }
  }

  @Test
  void namesThatEarlierVersionsLeftAreForgottenAtTheStart() throws Exception {
    try (SqliteStore store = open()) {
      committed(store, plain(mote("kept"), fact("rd", 1, "here")));
    }
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("vigil.db"));
        var statement = connection.createStatement()) {
      statement.execute(
          "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)"
              + " INSERT INTO endpoint (number, id, d, ep) SELECT i, printf('x%d', i), '', printf('old-%d', i) FROM n");
      statement.execute(
          "INSERT INTO fact SELECT number, 0, number, 'rd', 1, 0, 0, 2, 0, x'', 0"
              + " FROM endpoint WHERE number > 1");
      CheckedTables.renew(connection);
    }
    try (SqliteStore store = open()) {
      assertThat(store.endpoints()).isLessThanOrEqualTo(2);
      assertThat(rows("endpoint")).isLessThanOrEqualTo(2);
      assertThat(store.endpoint(mote("kept"))).isPresent();
    }
  }

  @Test
  void reservedNamesTakeNoIdsFromEndpoints() {
    try (SqliteStore store = open()) {
      assertThat(committed(store, plain(mote(".records/x"), fact("a", 1, "1"))).id())
          .isEqualTo(".1");
      assertThat(committed(store, plain(mote("first"), fact("rd", 1, "here"))).id()).isEqualTo("1");
      committed(store, plain(mote("gone"), fact("rd", 1, "here")));
      committed(store, plain(mote("gone"), Fact.none("rd")));
      committed(store, plain(mote(".records/y"), fact("a", 1, "1")));
    }
    try (SqliteStore store = open()) {
      assertThat(committed(store, plain(mote("next"), fact("rd", 1, "here"))).id())
          .as("never the id of one that is gone")
          .isEqualTo("3");
    }
  }
}
