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

import dev.vigil.store.Fact;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of real machines: a killed process, a full or damaged disk, a wrong folder. */
class StoreFaultTest {
  private static final int ROUNDS = 3;
  private static final int ACKNOWLEDGED = 400;

  @TempDir Path folder = Path.of("");

  @Test
  void acknowledgedBatchesSurviveKillNine() throws Exception {
    Map<String, Long> acknowledged = new HashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      Process victim = start(List.of());
      int heard = 0;
      try (BufferedReader lines = victim.inputReader()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          heard += note(line, acknowledged);
          if (heard >= ACKNOWLEDGED && acknowledged.size() == KilledWriter.THREADS) {
            victim.toHandle().destroyForcibly();
          }
        }
      }
      assertThat(victim.waitFor()).isEqualTo(128 + 9);
      assertThat(heard).isGreaterThanOrEqualTo(ACKNOWLEDGED);
      assertAllStored(acknowledged);
    }
  }

  @Test
  void aFullDiskIsReportedAndLosesNoAcknowledgedBatch() throws Exception {
    Map<String, Long> acknowledged = new HashMap<>();
    List<String> failures = new ArrayList<>();
    // Limits each file to 4 MiB; the write-ahead log reaches the limit first.
    Process victim = start(List.of("sh", "-c", "ulimit -f 8192; exec \"$@\"", "sh"));
    try (BufferedReader lines = victim.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        note(line, acknowledged);
        if (line.startsWith("failed ")) {
          failures.add(line);
        }
      }
    }
    assertThat(victim.waitFor()).isZero();
    assertThat(failures)
        .hasSize(KilledWriter.THREADS)
        .allSatisfy(line -> assertThat(line).contains("vigil.db", "disk"));
    assertAllStored(acknowledged);
  }

  private Process start(List<String> wrapper) throws IOException {
    return start(wrapper, folder);
  }

  private static Process start(List<String> wrapper, Path folder) throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            KilledWriter.class.getName(),
            folder.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /** Counts a complete line of the form {@code ack mote-3 17}. */
  private static int note(String line, Map<String, Long> acknowledged) {
    String[] words = line.split(" ");
    if (words.length != 3 || !words[0].equals("ack")) {
      return 0;
    }
    acknowledged.merge(words[1], Long.parseLong(words[2]), Math::max);
    return 1;
  }

  private void assertAllStored(Map<String, Long> acknowledged) {
    assertThat(acknowledged).hasSize(KilledWriter.THREADS);
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      acknowledged.forEach(
          (ep, number) -> {
            long high = store.endpoint(mote(ep)).orElseThrow().high();
            assertThat(high).isGreaterThanOrEqualTo(number);
            List<String> values = history(store, mote(ep), "v");
            assertThat(values).hasSize((int) high);
            for (int n = 1; n <= high; n++) {
              assertThat(values.get(n - 1)).isEqualTo(KilledWriter.body(n));
            }
            // A batch is stored completely or not at all, so both slots have the same number.
            assertThat(history(store, mote(ep), "n")).containsExactly("" + high);
            assertThat(outcome(store, numbered(mote(ep), number, fact("n", 1, "replay"))))
                .isEqualTo(new SubmitResult.SequenceUsed(high));
          });
    }
  }

  @Test
  void aBatchThatCannotBeWrittenDoesNotFailTheOthers() throws Exception {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      committed(store, plain(mote("good"), fact("v", 1, "a")));
      try (Connection side = raw()) {
        try (var statement = side.createStatement()) {
          statement.execute(
              "CREATE TRIGGER bad BEFORE INSERT ON fact WHEN NEW.slot = 'bad'"
                  + " BEGIN SELECT raise(ABORT, 'on purpose, in a test'); END");
        }
      }
      List<CompletableFuture<SubmitResult>> outcomes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        outcomes.add(
            store.submit(plain(mote("mote-" + i), fact(i % 10 == 0 ? "bad" : "v", 1, "x"))));
      }
      for (int i = 0; i < 100; i++) {
        int n = i;
        if (i % 10 == 0) {
          assertThatThrownBy(() -> outcomes.get(n).join()).hasCauseInstanceOf(StoreException.class);
          assertThat(store.endpoint(mote("mote-" + i))).isEmpty();
        } else {
          assertThat(outcomes.get(n).join()).isInstanceOf(SubmitResult.Committed.class);
        }
      }
      assertThat(store.counts().failed()).isEqualTo(10);
      assertThat(feed(store, 0)).hasSize(91);
    }
  }

  @Test
  void theWritingConnectionSyncsEveryCommit() throws Exception {
    SqliteStore.open(folder, System::nanoTime).close();
    try (Connection connection = new SqliteDatabase(folder.resolve("vigil.db")).openForWriting()) {
      assertThat(pragma(connection, "synchronous")).isEqualTo("2");
      assertThat(pragma(connection, "journal_mode")).isEqualTo("wal");
    }
  }

  @Test
  void aSecondStoreInTheFolderIsRefusedWithTheHoldersPid() {
    try (SqliteStore first = SqliteStore.open(folder, System::nanoTime)) {
      refusal()
          .hasMessageContaining(folder.toString())
          .hasMessageContaining("process " + ProcessHandle.current().pid())
          .hasMessageContaining("--data-dir");
      committed(first, plain(mote("a"), fact("v", 1, "x")));
    }
    SqliteStore.open(folder, System::nanoTime).close();
  }

  @Test
  void aSecondProcessInTheFolderIsRefusedWithTheHoldersPid() throws Exception {
    Process victim = start(List.of());
    try (BufferedReader lines = victim.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("open");
      refusal().hasMessageContaining("process " + victim.pid());
    } finally {
      victim.destroyForcibly().waitFor();
    }
    SqliteStore.open(folder, System::nanoTime).close();
  }

  @Test
  void aFileThatIsNoDatabaseIsReportedAndNotChanged() throws Exception {
    byte[] text = "This was a database once. ".repeat(400).getBytes(StandardCharsets.UTF_8);
    Files.write(folder.resolve("vigil.db"), text);
    refusal()
        .hasMessageContaining(folder.resolve("vigil.db").toString())
        .hasMessageContaining("damaged")
        .hasMessageContaining("backup");
    assertThat(Files.readAllBytes(folder.resolve("vigil.db"))).isEqualTo(text);
  }

  @Test
  void damageInTheMiddleOfTheFileIsReportedWhenRead() throws Exception {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      for (int i = 0; i < 300; i++) {
        committed(store, plain(mote("mote-" + i), fact("v", 1, "x".repeat(500))));
      }
    }
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("vigil.db").toFile(), "rw")) {
      byte[] noise = new byte[4096];
      Arrays.fill(noise, (byte) 0x5a);
      for (long at = 12 * 4096L; at + 4096 < file.length(); at += 4096) {
        file.seek(at);
        file.write(noise);
      }
    }
    assertThatThrownBy(
            () -> {
              try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
                feed(store, 0);
              }
            })
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void aDatabaseOfANewerVersionIsRefused() throws Exception {
    SqliteStore.open(folder, System::nanoTime).close();
    try (Connection side = raw();
        var statement = side.createStatement()) {
      statement.execute(
          "INSERT INTO flyway_schema_history SELECT 99, '99', 'from the future', 'SQL', 'V99.sql',"
              + " 1, installed_by, installed_on, 1, 1 FROM flyway_schema_history LIMIT 1");
      statement.execute("PRAGMA user_version = 99");
    }
    refusal().hasMessageContaining("newer version");
  }

  @Test
  void aFolderThatCannotBeCreatedIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("data"), "not a folder");
    for (Path wrong : List.of(file, file.resolve("below"))) {
      assertThatThrownBy(() -> SqliteStore.open(wrong, System::nanoTime))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(wrong.toString())
          .hasMessageContaining("--data-dir");
    }
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() throws Exception {
    Path closed =
        Files.createDirectory(
            folder.resolve("closed"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
    // Root must first drop the capability that ignores file modes.
    List<String> bound =
        Files.isWritable(closed)
            ? List.of("setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override")
            : List.of();
    Process victim = start(bound, closed);
    try (BufferedReader lines = victim.inputReader()) {
      assertThat(lines.readLine()).startsWith("failed ").contains(closed.toString(), "--data-dir");
    } finally {
      victim.destroyForcibly().waitFor();
    }
  }

  @Test
  void theFeedViewShowsTheStateAsText() throws Exception {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      committed(store, numbered(mote("mote-1"), 5, fact("value/temp", 3, "21.5"), Fact.none("rd")));
    }
    try (Connection side = raw();
        var statement = side.createStatement();
        var row = statement.executeQuery("SELECT id, ep, slot, sequence, at, text FROM feed")) {
      assertThat(row.next()).isTrue();
      List<String> words = new ArrayList<>();
      for (int column = 1; column <= 6; column++) {
        words.add(row.getString(column));
      }
      assertThat(words)
          .containsExactly("1", "mote-1", "value/temp", "5", "2026-03-01T12:00:00.123Z", "21.5");
    }
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refusal() {
    return assertThatThrownBy(() -> SqliteStore.open(folder, System::nanoTime))
        .isInstanceOf(StoreException.class);
  }

  private Connection raw() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("vigil.db"));
  }

  private static String pragma(Connection connection, String name) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("PRAGMA " + name)) {
      row.next();
      return row.getString(1);
    }
  }
}
