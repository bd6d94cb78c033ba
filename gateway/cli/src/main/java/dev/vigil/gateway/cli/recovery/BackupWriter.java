package dev.vigil.gateway.cli.recovery;

import dev.vigil.gateway.store.DataFolder;
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
 * Writes a backup: the header line, its tag, and a ZIP in encrypted chunks. The ZIP contains a
 * snapshot of the database, then the other files of the data folder, then the settings. Files other
 * than the database change seldom and are replaced as a whole. Counters may be newer than the
 * database but never older.
 */
final class BackupWriter {
  /** The folder in the ZIP for the data folder's files. */
  static final String DATA = "data/";

  /** The folder in the ZIP for the settings. */
  static final String SETTINGS = "settings/";

  /** Allowed file names in a backup: no path and no leading dot. */
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private final Clock clock;
  private final SecureRandom random;
  private final String product;
  private final PassphraseKey.Cost cost;

  /**
   * @param product version and build of this program
   */
  BackupWriter(Clock clock, SecureRandom random, String product) {
    this(clock, random, product, PassphraseKey.Cost.RECOMMENDED);
  }

  /**
   * @param cost of deriving the key; tests make many backups at a low one
   */
  BackupWriter(Clock clock, SecureRandom random, String product, PassphraseKey.Cost cost) {
    this.clock = clock;
    this.random = random;
    this.product = product;
    this.cost = cost;
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
      // Read before the copy, so that every change before this time is in the backup.
      Instant created = clock.instant();
      int data = SqliteFiles.copy(folder, copy);
      BackupHeader header =
          new BackupHeader(
              BackupHeader.FORMAT,
              data,
              product,
              created,
              PassphraseKey.Parameters.fresh(cost, random));
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

  /**
   * Leaves out incomplete files, whose names end in {@code .new}, and saved sessions, which must
   * not continue twice.
   */
  private static boolean isKept(String name) {
    return NAME.matcher(name).matches()
        && !name.startsWith(SqliteFiles.DATABASE)
        && !name.equals(SqliteFiles.LOCK)
        && !name.equals(DataFolder.SESSIONS)
        && !name.endsWith(".new");
  }

  /** Each file once, by its name; if two files have the same name, the later file gets a number. */
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
