package dev.vigil.gateway.cli.recovery;

import dev.vigil.border.storage.RestoredCounters;
import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.sqlite.ReplicaFiles;
import dev.vigil.gateway.store.sqlite.SnapshotFiles;
import dev.vigil.gateway.store.sqlite.SqliteFiles;
import dev.vigil.mirror.state.RestoreMargin;
import dev.vigil.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Restores a backup into an empty folder, completely or not at all. The backup is unpacked, and its
 * numbers are raised, in a subfolder. The files move up after everything has succeeded. A gateway
 * refuses to start while the subfolder exists.
 */
final class DataFolderRestore {
  private static final long LEAST_JUMP = 1L << 32;

  /** An upper bound for the commit rate of any disk. */
  private static final long CHANGES_PER_MILLI = 100;

  private final Clock clock;
  private final LongSupplier nanoTime;
  private final boolean keepTokens;

  /**
   * @param nanoTime monotonic nanoseconds
   * @param keepTokens whether API tokens stay valid
   */
  DataFolderRestore(Clock clock, LongSupplier nanoTime, boolean keepTokens) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.keepTokens = keepTokens;
  }

  /**
   * The result of a restoration.
   *
   * @param endpoints whose numbers were raised
   * @param exhausted number of link keys whose frame counters are used up
   * @param credentials sessions and tokens that are no longer valid
   * @param replica whether the backup was made in a cluster; the folder holds the store of a single
   *     gateway
   * @param settings files with the settings of the backup
   */
  record Report(
      BackupHeader header,
      int endpoints,
      int exhausted,
      RestoredCredentials credentials,
      boolean replica,
      List<Path> settings) {}

  Report restore(InputStream in, char[] passphrase, Path folder) throws IOException {
    boolean made = !Files.exists(folder);
    requireEmpty(folder);
    PrivateFiles.requireFolder(folder);
    Path work = folder.resolve(SqliteFiles.UNFINISHED);
    try (SqliteFiles.Lock _ = SqliteFiles.lock(folder)) {
      requireStillEmpty(folder);
      Files.createDirectory(work);
      try {
        PrivateFiles.requireFolder(work);
        Report report = unpack(in, passphrase, work);
        moveUp(work, folder);
        return new Report(
            report.header(),
            report.endpoints(),
            report.exhausted(),
            report.credentials(),
            report.replica(),
            files(folder.resolve(BackupWriter.SETTINGS)));
      } catch (IOException | RuntimeException e) {
        empty(folder, work);
        if (made) {
          Files.deleteIfExists(folder);
        }
        throw e;
      }
    }
  }

  /** Another process may have used the folder before it was locked. */
  private static void requireStillEmpty(Path folder) throws IOException {
    if (!files(folder).equals(List.of(folder.resolve(SqliteFiles.LOCK)))) {
      throw notEmpty(folder);
    }
  }

  private static BackupException notEmpty(Path folder) {
    return new BackupException(
        "the folder %s is not empty: give a new one with --data-dir".formatted(folder));
  }

  private static void requireEmpty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    if (!Files.isDirectory(folder)) {
      throw new BackupException("%s is a file: name a folder".formatted(folder));
    }
    if (Files.exists(folder.resolve(SqliteFiles.UNFINISHED), LinkOption.NOFOLLOW_LINKS)) {
      throw new BackupException(
          "an earlier restore into %s did not finish: empty the folder and try again"
              .formatted(folder));
    }
    if (!files(folder).isEmpty()) {
      throw notEmpty(folder);
    }
  }

  private Report unpack(InputStream in, char[] passphrase, Path work) throws IOException {
    BackupHeader header = BackupReader.unpack(in, passphrase, work);
    if (!Files.exists(work.resolve(SqliteFiles.DATABASE))) {
      throw new BackupException("it contains no database");
    }
    Instant now = clock.instant();
    if (now.isBefore(header.created())) {
      throw new BackupException(
          "this machine's clock (%s) is before the time of the backup (%s): set the clock first"
              .formatted(now, header.created()));
    }
    Duration elapsed = Duration.between(header.created(), now);
    // Needed even without counters in the backup, because keys first used after it must not start
    // at 0.
    int exhausted = RestoredCounters.raise(work.resolve(Companion.COUNTERS.file()), elapsed);
    boolean replica = ReplicaFiles.head(work) != null;
    if (replica) {
      SnapshotFiles.leave(work, List.of(Companion.IDENTITY));
    }
    Report report;
    try (Store store = SqliteFiles.open(work, nanoTime)) {
      RestoredCredentials credentials =
          RestoredCredentials.apply(store, now, header.created(), keepTokens);
      String note =
          "restored from the backup of %s: ended %d sessions, suspended %d tokens"
              .formatted(header.created(), credentials.sessions(), credentials.suspended());
      int endpoints = RestoreMargin.apply(store, now, elapsed, note);
      report = new Report(header, endpoints, exhausted, credentials, replica, List.of());
    }
    SqliteFiles.raisePosition(work, jump(elapsed));
    return report;
  }

  /**
   * The number of feed positions that a restore skips. It exceeds the number that a gateway can
   * have used since the backup, so no id of an event or e-mail is used twice.
   */
  private static long jump(Duration elapsed) {
    return Math.max(LEAST_JUMP, elapsed.toMillis() * CHANGES_PER_MILLI);
  }

  private static void moveUp(Path work, Path folder) throws IOException {
    Set<String> left = Set.of(SqliteFiles.LOCK, SqliteFiles.NATIVE);
    for (Path file : files(work)) {
      if (!left.contains(String.valueOf(file.getFileName()))) {
        Files.move(file, folder.resolve(file.getFileName()));
      }
    }
    sync(folder);
    deleteAll(work);
    sync(folder);
  }

  /** Also removes files that have moved up; removes the mark of an unfinished restore last. */
  private static void empty(Path folder, Path work) throws IOException {
    for (Path file : files(folder)) {
      if (!file.equals(work)) {
        deleteAll(file);
      }
    }
    deleteAll(work);
  }

  private static void sync(Path folder) throws IOException {
    try (FileChannel directory = FileChannel.open(folder)) {
      directory.force(true);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static void deleteAll(Path top) throws IOException {
    if (Files.notExists(top, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> all = Files.walk(top)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(one);
      }
    }
  }
}
