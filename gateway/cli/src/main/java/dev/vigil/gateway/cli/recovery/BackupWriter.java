package dev.vigil.gateway.cli.recovery;

import dev.vigil.gateway.store.sqlite.SqliteFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a backup: the header's line, its tag, and a ZIP in encrypted chunks. The ZIP holds a copy
 * of the database at one moment, then the other files of the data folder, then the settings. Beside
 * the database they change seldom and are replaced whole; counters may be newer than the database,
 * never older.
 */
final class BackupWriter {
  /** The folder of the data folder's files in the ZIP. */
  static final String DATA = "data/";

  /** The folder of the settings in the ZIP. */
  static final String SETTINGS = "settings/";

  /** Names of files in a backup: no path, no dot in front. */
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private final Clock clock;
  private final SecureRandom random;
  private final String product;

  /**
   * @param product version and build of this program
   */
  BackupWriter(Clock clock, SecureRandom random, String product) {
    this.clock = clock;
    this.random = random;
    this.product = product;
  }

  /**
   * Writes a backup of a data folder, which a gateway may be using. The stream stays open.
   *
   * @param settings files with settings
   */
  BackupHeader write(Path folder, List<Path> settings, char[] passphrase, OutputStream out)
      throws IOException {
    Path copy =
        folder.resolve("%s.copy-%d".formatted(SqliteFiles.DATABASE, ProcessHandle.current().pid()));
    Files.deleteIfExists(copy);
    copy.toFile().deleteOnExit();
    try {
      // Before the copy: what is older than this time is in the backup.
      Instant created = clock.instant();
      int data = SqliteFiles.copy(folder, copy);
      BackupHeader header =
          new BackupHeader(
              BackupHeader.FORMAT, data, product, created, PassphraseKey.Parameters.fresh(random));
      byte[] line = header.toOctets();
      PassphraseKey key = PassphraseKey.derive(passphrase, header.derivation());
      out.write(line);
      out.write(key.tag(line));
      try (ZipOutputStream zip =
          new ZipOutputStream(new SealedOutputStream(out, new ChunkCipher(key.content(), line)))) {
        add(zip, DATA + SqliteFiles.DATABASE, copy);
        for (Path file : files(folder)) {
          add(zip, DATA + file.getFileName(), file);
        }
        for (Map.Entry<String, Path> file : named(settings).entrySet()) {
          add(zip, SETTINGS + file.getKey(), file.getValue());
        }
      }
      return header;
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  /** The files of the data folder except the database: keys, counters, certificates. */
  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .filter(file -> isKept(String.valueOf(file.getFileName())))
          .sorted()
          .toList();
    }
  }

  /** Half-written files end in {@code .new}. */
  private static boolean isKept(String name) {
    return NAME.matcher(name).matches()
        && !name.startsWith(SqliteFiles.DATABASE)
        && !name.equals(SqliteFiles.LOCK)
        && !name.endsWith(".new");
  }

  /** Each file once, under its name; where two have the same, the later one gets a number. */
  private static Map<String, Path> named(List<Path> settings) throws IOException {
    Map<String, Path> files = new LinkedHashMap<>();
    for (Path given : settings) {
      Path file = given.toRealPath();
      if (files.containsValue(file)) {
        continue;
      }
      String name = String.valueOf(given.getFileName()).replaceAll("[^A-Za-z0-9._-]|^\\.", "_");
      String free = name.startsWith("_") || name.startsWith("-") ? "settings" + name : name;
      for (int i = 2; files.containsKey(free); i++) {
        free = i + "-" + name;
      }
      files.put(free, file);
    }
    return files;
  }

  private static void add(ZipOutputStream zip, String name, Path file) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    Files.copy(file, zip);
    zip.closeEntry();
  }
}
