package dev.vigil.gateway.month;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A disk without room for the data folder, as any user can have it: the kernel refuses to let this
 * process write any file beyond a size (RLIMIT_FSIZE, setrlimit(2)), in the middle of a transaction
 * too. {@code gateway/e2e/test_full_disk.py} fills a real file system.
 */
final class FullDisk {
  private FullDisk() {}

  /**
   * Leaves so many octets to the write-ahead log, which is emptied before: the same seed has the
   * same room. Files that are longer cannot be written behind that.
   */
  static void fill(Path data, int octets) throws IOException, InterruptedException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("vigil.db"));
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (SQLException e) {
      throw new IOException(e);
    }
    limit(Integer.toString(octets));
  }

  static void makeRoom() throws IOException, InterruptedException {
    limit("unlimited");
  }

  /** The soft limit alone, which can be raised again. */
  private static void limit(String size) throws IOException, InterruptedException {
    String self = Long.toString(ProcessHandle.current().pid());
    Process setting =
        new ProcessBuilder(List.of("prlimit", "--pid", self, "--fsize=" + size + ":"))
            .inheritIO()
            .start();
    if (setting.waitFor() != 0) {
      throw new IOException("prlimit cannot limit the size of files");
    }
  }
}
