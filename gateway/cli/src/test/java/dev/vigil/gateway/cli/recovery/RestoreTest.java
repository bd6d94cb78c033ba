package dev.vigil.gateway.cli.recovery;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.storage.RestoredCounters;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.sqlite.LoggedChange;
import dev.vigil.gateway.store.sqlite.SqliteFiles;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.mirror.state.RestoreMargin;
import dev.vigil.store.Change;
import dev.vigil.store.Store;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestoreTest {
  private static final Instant BACKUP = Instant.parse("2026-11-22T12:00:00Z");
  private static final Duration LATER = Duration.ofHours(1);
  private static final char[] PASSPHRASE = "correct horse battery".toCharArray();
  private static final PassphraseKey.Cost CHEAP = new PassphraseKey.Cost(32, 1, 4);
  private static final String SETTINGS = "vigil: {trust: first-use}\n";

  @TempDir Path folder = Path.of("");
  private Path data = Path.of("");
  private Path target = Path.of("");
  private List<Path> settings = List.of();
  private boolean keepTokens;

  @BeforeEach
  void makeDataFolder() throws IOException {
    data = folder.resolve("data");
    target = folder.resolve("restored");
    try (Store store = SqliteFiles.open(data, System::nanoTime)) {
      committed(store, numbered(mote("mote-1"), 7, fact("v", 2, "a")));
    }
    Files.writeString(data.resolve("identity.jwk"), "a key");
    Files.writeString(data.resolve("vigil.db.format-1"), "a former database");
    Files.writeString(data.resolve("coaps.sessions"), "sessions that must not continue twice");
    settings = List.of(Files.writeString(folder.resolve("application.yaml"), SETTINGS));
    try (CounterFile counters = new CounterFile(data.resolve("bridge.counters"))) {
      counters.save(Map.of("link/k/sent", 2048L, "link/k/heard/1", 5L, "rpl/version", 240L));
    }
  }

  private static Clock at(Instant now) {
    return Clock.fixed(now, ZoneOffset.UTC);
  }

  private byte[] backup() throws IOException {
    return backup(new BackupWriter(at(BACKUP), new SecureRandom(), "Vigil 1.2.3", CHEAP));
  }

  private byte[] backup(BackupWriter writer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.write(data, settings, PASSPHRASE, out);
    return out.toByteArray();
  }

  private DataFolderRestore.Report restore(byte[] backup, String passphrase, Instant now)
      throws IOException {
    return new DataFolderRestore(at(now), System::nanoTime, keepTokens)
        .restore(new ByteArrayInputStream(backup), passphrase.toCharArray(), target);
  }

  private DataFolderRestore.Report restore(byte[] backup) throws IOException {
    return restore(backup, new String(PASSPHRASE), BACKUP.plus(LATER));
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refused(byte[] backup) {
    return assertThatThrownBy(() -> restore(backup)).isInstanceOf(BackupException.class);
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void keysFirstUsedAfterABackupWithoutCountersDoNotStartAtZero() throws IOException {
    Files.delete(data.resolve("bridge.counters"));
    restore(backup());
    try (CounterFile counters = new CounterFile(target.resolve("bridge.counters"))) {
      assertThat(RestoredCounters.restores(counters)).isEqualTo(1);
      assertThat(RestoredCounters.lowestUnrecorded(counters)).isGreaterThan(1 << 20);
    }
  }

  @Test
  void theFolderComesBackWithItsKeysAndSettings() throws IOException {
    byte[] backup;
    // The store is open, as beside a running gateway, and the backup is a snapshot.
    try (Store store = SqliteFiles.open(data, System::nanoTime)) {
      committed(store, numbered(mote("mote-1"), 8, fact("v", 2, "b")));
      backup = backup();
      committed(store, numbered(mote("mote-1"), 9, fact("v", 2, "c")));
    }
    assertThat(names(data)).noneMatch(name -> name.contains("copy"));
    DataFolderRestore.Report report = restore(backup);
    assertThat(report.endpoints()).isEqualTo(1);
    assertThat(report.header().product()).isEqualTo("Vigil 1.2.3");
    assertThat(names(target))
        .containsExactly("bridge.counters", "identity.jwk", "settings", "vigil.db", "vigil.lock");
    assertThat(target.resolve("identity.jwk")).hasContent("a key");
    assertThat(report.settings()).containsExactly(target.resolve("settings/application.yaml"));
    assertThat(report.settings().getFirst()).hasContent(SETTINGS);
    for (String name : List.of("identity.jwk", "vigil.db", "bridge.counters")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target.resolve(name))))
          .isEqualTo("rw-------");
    }
    try (Store store = SqliteFiles.open(target, System::nanoTime)) {
      assertThat(history(store, mote("mote-1"), "v")).containsExactly("a", "b");
      assertThat(store.endpoint(mote("mote-1")).orElseThrow().high())
          .isEqualTo(8 + RestoreMargin.LEAST_JUMP + LATER.toMillis());
    }
    try (CounterFile counters = new CounterFile(target.resolve("bridge.counters"))) {
      assertThat(counters.load("link/k/sent"))
          .hasValue(2048 + (1 << 20) + 1000 * LATER.toSeconds());
      assertThat(counters.load("link/k/heard/1")).hasValue(5);
    }
  }

  @Test
  void aBackupOfAReplicaBecomesTheStoreOfASingleGateway() throws Exception {
    Files.delete(data.resolve("vigil.db"));
    byte[] backup;
    try (SqliteReplica replica = SqliteReplica.open(data, "a log", 0, System::nanoTime)) {
      Change change =
          new Change(
              40, "14", mote("mote-1"), BACKUP, 7, 1, List.of(fact("v", 2, "from the cluster")));
      replica.apply(new LoggedChange(change, 7, false, 0, new byte[0], new byte[16])).join();
      backup = backup();
    }
    DataFolderRestore.Report report = restore(backup);
    assertThat(report.replica()).isTrue();
    try (Store store = SqliteFiles.open(target, System::nanoTime)) {
      assertThat(history(store, mote("mote-1"), "v")).containsExactly("from the cluster");
      assertThat(store.endpoint(mote("mote-1")).orElseThrow().id()).isEqualTo("14");
      assertThat(store.endpoint(mote("mote-1")).orElseThrow().high()).isGreaterThan(7);
    }
  }

  private record Credential(String owner) {}

  private static RecordSet<Credential> credentials(Records records, String kind) {
    return records.of(kind, Credential.class);
  }

  private void addCredentials() {
    try (Store store = SqliteFiles.open(data, System::nanoTime);
        Records records = new Records(store, at(BACKUP))) {
      credentials(records, "dashboard-link")
          .put("id", new Credential("alice"), OptionalLong.of(0), Audit.UNRECORDED)
          .join();
      for (String kind : List.of("session", "push-browser", "token")) {
        RecordSet<Credential> set = credentials(records, kind);
        IntStream.range(0, 1200)
            .mapToObj(
                i ->
                    set.put(
                        "id-" + i, new Credential("alice"), OptionalLong.of(0), Audit.UNRECORDED))
            .toList()
            .forEach(CompletableFuture::join);
      }
    }
  }

  @Test
  void sessionsEndAndTokensWaitForAnAdministrator() throws IOException {
    addCredentials();
    DataFolderRestore.Report report = restore(backup());
    assertThat(report.credentials()).isEqualTo(new RestoredCredentials(1200, 1200));
    try (Store store = SqliteFiles.open(target, System::nanoTime);
        Records records = new Records(store, at(BACKUP))) {
      assertThat(credentials(records, "session").size()).isZero();
      assertThat(credentials(records, "push-browser").size()).isZero();
      assertThat(credentials(records, "dashboard-link").size()).isZero();
      assertThat(credentials(records, "token").size()).isZero();
      assertThat(credentials(records, "suspended-token").get("id-7").orElseThrow().value())
          .isEqualTo(new Credential("alice"));
      assertThat(
              records
                  .of("restoration", RestoredCredentials.Restoration.class)
                  .all()
                  .getFirst()
                  .value())
          .isEqualTo(new RestoredCredentials.Restoration(BACKUP.plus(LATER), BACKUP));
    }
  }

  @Test
  void tokensStayWhenTheOperatorConfirmsThem() throws IOException {
    addCredentials();
    keepTokens = true;
    assertThat(restore(backup()).credentials()).isEqualTo(new RestoredCredentials(1200, 0));
    try (Store store = SqliteFiles.open(target, System::nanoTime);
        Records records = new Records(store, at(BACKUP))) {
      assertThat(credentials(records, "token").size()).isEqualTo(1200);
      assertThat(credentials(records, "dashboard-link").size()).isEqualTo(1);
    }
  }

  @Test
  void feedPositionsContinueAboveAllUsedPositions() throws IOException {
    byte[] backup = backup();
    long used;
    try (Store store = SqliteFiles.open(data, System::nanoTime)) {
      committed(store, numbered(mote("mote-1"), 8, fact("v", 2, "b")));
      used = committed(store, numbered(mote("mote-1"), 9, fact("v", 2, "c"))).position();
    }
    restore(backup);
    try (Store store = SqliteFiles.open(target, System::nanoTime)) {
      long next =
          committed(store, numbered(mote("mote-1"), 1L << 30, fact("v", 2, "d"))).position();
      assertThat(next).isGreaterThan(used + (1L << 31));
      assertThat(history(store, mote("mote-1"), "v")).containsExactly("a", "d");
    }
    try (Store store = SqliteFiles.open(target, System::nanoTime)) {
      assertThat(history(store, mote("mote-1"), "v")).containsExactly("a", "d");
    }
  }

  @Test
  void aBackupIsUnreadableWithoutItsPassphrase() throws IOException {
    byte[] backup = backup();
    String text = new String(backup, UTF_8);
    assertThat(text.lines().findFirst().orElse(""))
        .contains("\"kind\":\"vigil-backup\"", "\"created\":\"2026-11-22T12:00:00Z\"");
    assertThat(text).doesNotContain("a key", "mote-1", "first-use", "identity.jwk");
    assertThatThrownBy(() -> restore(backup, "correct horse batterx", BACKUP.plus(LATER)))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("the passphrase is wrong");
    assertThat(target).doesNotExist();
  }

  /** RFC 9106 section 4. */
  @Test
  void guessingThePassphraseCostsWhatTheRfcRecommends() throws IOException {
    byte[] backup = backup(new BackupWriter(at(BACKUP), new SecureRandom(), "Vigil 1.2.3"));
    assertThat(new String(backup, UTF_8).lines().findFirst().orElse(""))
        .contains("\"kdf\":\"argon2id\",\"memory\":65536,\"iterations\":3,\"lanes\":4,");
    assertThat(restore(backup).endpoints()).isEqualTo(1);
  }

  @Test
  void anAlteredOrShortenedBackupLeavesNothing() throws IOException {
    byte[] backup = backup();
    byte[] altered = backup.clone();
    altered[backup.length - 100] ^= 1;
    refused(altered).hasMessageContaining("altered");
    refused(Arrays.copyOf(backup, backup.length - 1)).hasMessageContaining("cut short");
    refused("PK\3\4 and more".getBytes(UTF_8)).hasMessageContaining("not a backup");
    byte[] header = new String(backup, UTF_8).split("\n", 2)[0].getBytes(UTF_8);
    refused(header).hasMessageContaining("not a backup");
    assertThat(target).doesNotExist();
  }

  @Test
  void aBackupOfANewerVersionIsRefused() {
    String line =
        "{\"kind\":\"vigil-backup\",\"format\":2,\"data\":9,\"product\":\"Vigil"
            + " 9.0\",\"created\":\"2030-01-01T00:00:00Z\",\"cipher\":\"x\",\"kdf\":\"y\"}\n";
    refused(line.getBytes(UTF_8)).hasMessageContaining("a newer version made it (Vigil 9.0)");
  }

  @Test
  void aHeaderThatAsksForAllMemoryIsRefused() throws IOException {
    String[] parts = new String(backup(), UTF_8).split("\n", 2);
    String greedy = parts[0].replace("\"memory\":32", "\"memory\":900000000") + "\n";
    refused(greedy.getBytes(UTF_8)).hasMessageContaining("not one that Vigil writes");
  }

  @Test
  void settingsFilesOfOneNameAllComeBack() throws IOException {
    Path config = Files.createDirectory(folder.resolve("config"));
    Path other = Files.writeString(config.resolve("application.yaml"), "vigil: {}\n");
    Path hidden = Files.writeString(folder.resolve(".my settings"), "vigil: {}\n");
    settings = List.of(settings.getFirst(), other, settings.getFirst(), hidden);
    assertThat(restore(backup()).settings())
        .extracting(file -> file.getFileName().toString())
        .containsExactly("2-application.yaml", "application.yaml", "settings_my_settings");
  }

  @Test
  void aFolderThatIsNotEmptyIsLeftAsItIs() throws IOException {
    Files.createDirectory(target);
    Files.writeString(target.resolve("mine"), "mine");
    refused(backup()).hasMessageContaining("not empty");
    assertThat(names(target)).containsExactly("mine");
  }

  @Test
  void aRestoreThatFailsHalfWayLeavesNothing() throws IOException {
    Files.createDirectory(target);
    InputStream obstructed =
        new ByteArrayInputStream(backup()) {
          @Override
          public synchronized int read(byte[] into, int from, int length) {
            create(target.resolve("identity.jwk"));
            return super.read(into, from, length);
          }
        };
    assertThatThrownBy(
            () ->
                new DataFolderRestore(at(BACKUP.plus(LATER)), System::nanoTime, false)
                    .restore(obstructed, PASSPHRASE, target))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(names(target)).isEmpty();
  }

  private static void create(Path file) {
    try {
      Files.writeString(file, "in the way");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aClockBeforeTheBackupIsRefused() throws IOException {
    byte[] backup = backup();
    assertThatThrownBy(() -> restore(backup, new String(PASSPHRASE), BACKUP.minus(LATER)))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("set the clock first");
    assertThat(target).doesNotExist();
  }

  @Test
  void frameCountersThatMayBeUsedUpAreReported() throws IOException {
    byte[] backup = backup();
    assertThat(
            restore(backup, new String(PASSPHRASE), BACKUP.plus(Duration.ofDays(50))).exhausted())
        .isEqualTo(1);
  }

  @Test
  void anUnfinishedRestoreStopsAStartAndAnotherRestore() throws IOException {
    Files.createDirectories(target.resolve(SqliteFiles.UNFINISHED));
    refused(backup()).hasMessageContaining("did not finish");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
    assertThatThrownBy(() -> SqliteFiles.open(target, System::nanoTime))
        .hasMessageContaining("did not finish");
  }
}
