package dev.vigil.gateway.store.sqlite;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.feed;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.outcome;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.store.Companion;
import dev.vigil.store.Change;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contents of the file across versions, and while superseded rows wait for deletion. */
class StoreFileTest {
  @TempDir Path folder = Path.of("");

  @Test
  void aNewFolderIsPrivateToItsOwner() throws IOException {
    Path made = folder.resolve("data");
    SqliteStore.open(made, System::nanoTime).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
        .isEqualTo("rwx------");
  }

  @Test
  void aFileOfTheFirstSchemaVersionIsMigrated() throws Exception {
    Flyway.configure()
        .dataSource("jdbc:sqlite:" + folder.resolve("vigil.db"), null, null)
        .target("1")
        .load()
        .migrate();
    sql("INSERT INTO endpoint VALUES (1, '1', '', 'mote-1', 7, 2), (2, '2', '', 'mote-2', 0, 1)");
    sql(
        "INSERT INTO fact VALUES (1, 0, 1, 'v', 1, 3, 5, 5, 1, 0, x'61'),"
            + " (2, 0, 2, 'rd', 1, 1, 0, 0, 1, 0, x'62'), (3, 0, 1, 'v', 2, 3, 7, 7, 2, 0, x'63')");
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      assertThat(store.endpoint(mote("mote-1")))
          .contains(new Store.Endpoint("1", mote("mote-1"), 7, 2));
      assertThat(history(store, mote("mote-1"), "v")).containsExactly("a", "c");
      assertThat(outcome(store, numbered(mote("mote-1"), 7, fact("v", 3, "again"))))
          .isEqualTo(new SubmitResult.SequenceUsed(7));
      assertThat(committed(store, plain(mote("mote-3"), fact("rd", 1, "d"))))
          .satisfies(
              change -> {
                assertThat(change.id()).isEqualTo("3");
                assertThat(change.position()).isEqualTo(4);
              });
    }
  }

  /** Each former format has the same endpoint with H = 7 and the values 5 and 7. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void aFileOfEachFormerFormatIsMigratedAndKept(int format) throws Exception {
    makeFormat(format);
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      assertThat(store.endpoint(mote("mote-1")))
          .contains(new Store.Endpoint("1", mote("mote-1"), 7, 2));
      assertThat(history(store, mote("mote-1"), "v")).containsExactly("a", "c");
      assertThatThrownBy(() -> store.companions().require(Companion.IDENTITY))
          .hasMessageContaining("identity.jwk is missing")
          .hasMessageContaining("vigil replace identity.jwk");
      committed(store, numbered(mote("mote-1"), 9, fact("v", 3, "since")));
    }
    // To go back, put the kept file in place of the new file.
    Path kept = folder.resolve("vigil.db.format-" + format);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
        .isEqualTo("rw-------");
    Files.move(kept, folder.resolve("vigil.db"), StandardCopyOption.REPLACE_EXISTING);
    assertThat(migrations(format).info().pending()).isEmpty();
    migrations(format).validate();
    assertThat(rows()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLostDatabaseBesideTheIdentityStopsTheStart(boolean empty) throws Exception {
    SqliteStore.open(folder, System::nanoTime).close();
    Files.writeString(folder.resolve("identity.jwk"), "a key");
    Path database = folder.resolve("vigil.db");
    Files.delete(database);
    if (empty) {
      Files.createFile(database);
    }
    assertThatThrownBy(() -> SqliteStore.open(folder, System::nanoTime))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(database + " is missing or empty beside identity.jwk")
        .hasMessageContaining("vigil replace vigil.db");
    assertThat(Files.exists(database)).isEqualTo(empty);
  }

  @Test
  void thePresentIsReadWithoutHistories() {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      for (int i = 1; i <= 50; i++) {
        committed(store, numbered(mote("mote-1"), i, fact("v", 99, "v" + i)));
      }
      List<Change> seen = new ArrayList<>();
      store.present(seen::add).close();
      assertThat(seen).hasSize(1);
    }
  }

  @Test
  void aNewFileKeepsNoFormerOne() throws Exception {
    SqliteStore.open(folder, System::nanoTime).close();
    SqliteStore.open(folder, System::nanoTime).close();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsOnly("vigil.db", "vigil.lock");
    }
  }

  @Test
  void aSecondMigrationOfTheSameFormatKeepsBothFiles() throws Exception {
    for (String kept : List.of("vigil.db.format-2", "vigil.db.format-2-2")) {
      makeFormat(2);
      SqliteStore.open(folder, System::nanoTime).close();
      assertThat(folder.resolve(kept)).exists();
      Files.delete(folder.resolve("vigil.db"));
    }
  }

  private Flyway migrations(int format) {
    return Flyway.configure()
        .dataSource("jdbc:sqlite:" + folder.resolve("vigil.db"), null, null)
        .target(Integer.toString(format))
        .load();
  }

  private void makeFormat(int format) throws SQLException {
    migrations(format).migrate();
    sql(
        format == 1
            ? "INSERT INTO endpoint VALUES (1, '1', '', 'mote-1', 7, 2), (2, '2', '', 'mote-2', 0, 1)"
            : "INSERT INTO endpoint VALUES (1, '1', '', 'mote-1'), (2, '2', '', 'mote-2')");
    String nth = format == 1 ? "nth, " : "";
    String one = format == 1 ? "1, " : "";
    String two = format == 1 ? "2, " : "";
    sql(
        "INSERT INTO fact (position, ord, endpoint, slot, "
            + nth
            + "keep, sequence, high, version, at, body) VALUES (1, 0, 1, 'v', "
            + one
            + "3, 5, 5, 1, 0, x'61'), (2, 0, 2, 'rd', "
            + one
            + "1, 0, 0, 1, 0, x'62'), (3, 0, 1, 'v', "
            + two
            + "3, 7, 7, 2, 0, x'63')");
    if (format > 3) {
      sql("INSERT INTO companion VALUES ('identity.jwk')");
    }
    if (format > 1) {
      sql("PRAGMA user_version = " + format);
    }
  }

  /** An id is the endpoint's number in base 36. */
  @Test
  void idsAreShort() {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      for (int i = 0; i < 40; i++) {
        String id = committed(store, plain(mote("mote-" + i), fact("rd", 1, "a"))).id();
        assertThat(id).matches("[0-9a-z]{1,3}");
      }
    }
  }

  @Test
  void theFilesHeaderHasTheNumberOfTheNewestMigration() throws Exception {
    SqliteStore.open(folder, System::nanoTime).close();
    try (Connection side =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("vigil.db"));
        var statement = side.createStatement();
        var row =
            statement.executeQuery(
                "SELECT max(CAST(version AS INTEGER)), user_version"
                    + " FROM flyway_schema_history, pragma_user_version")) {
      assertThat(row.getInt(1)).isEqualTo(row.getInt(2));
    }
  }

  @Test
  void supersededRowsAreHiddenAndThenDeleted() throws Exception {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      for (int i = 1; i <= 300; i++) {
        committed(store, numbered(mote("mote-1"), i, fact("v", 2, "" + i), fact("rd", 1, "x")));
      }
      assertThat(rows()).isGreaterThan(3);
      assertThat(feed(store, 0)).hasSize(2);
      assertThat(history(store, mote("mote-1"), "v")).containsExactly("299", "300");
    }
    assertThat(rows()).isEqualTo(3);
  }

  @Test
  void theStandingViewShowsTheStateOfEachEndpoint() throws Exception {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      committed(store, numbered(mote("mote-1"), 5, fact("v", 9, "a")));
      committed(store, numbered(mote("mote-1"), 8, fact("v", 9, "b")));
      committed(store, plain(mote("mote-2"), fact("rd", 1, "c")));
    }
    try (Connection side = raw();
        var statement = side.createStatement();
        var row =
            statement.executeQuery(
                "SELECT ep || ' ' || high || ' ' || version FROM standing ORDER BY id")) {
      row.next();
      String first = row.getString(1);
      row.next();
      assertThat(List.of(first, row.getString(1))).containsExactly("mote-1 8 2", "mote-2 0 1");
    }
  }

  private int rows() throws SQLException {
    try (Connection side = raw();
        var statement = side.createStatement();
        var row = statement.executeQuery("SELECT count(*) FROM fact")) {
      row.next();
      return row.getInt(1);
    }
  }

  private void sql(String sql) throws SQLException {
    try (Connection side = raw();
        var statement = side.createStatement()) {
      statement.execute(sql);
    }
  }

  private Connection raw() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("vigil.db"));
  }
}
