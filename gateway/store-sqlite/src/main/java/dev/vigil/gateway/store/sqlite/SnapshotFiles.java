package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.sqlite.ReplicaFiles.Head;
import dev.vigil.gateway.store.sqlite.folder.DataFolderLock;
import dev.vigil.gateway.store.sqlite.folder.NativeLibraries;
import dev.vigil.gateway.store.sqlite.rows.StoredContent;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies of a replica for other gateways, replicas that begin with such a copy, and conversions
 * between a replica and the store of a single gateway.
 */
public final class SnapshotFiles {
  private static final List<String> SUFFIXES = List.of("-wal", "-shm", "-journal");

  private SnapshotFiles() {}

  /** A file in a data folder with a copy that is being made or read. */
  public static Path file(Path folder, String purpose) {
    return folder.resolve("%s.%s".formatted(SqliteFiles.DATABASE, purpose));
  }

  /** Removes a copy that is left over from an earlier run. */
  public static void delete(Path copy) {
    try {
      for (String suffix : SUFFIXES) {
        Files.deleteIfExists(beside(copy, suffix));
      }
      Files.deleteIfExists(copy);
    } catch (IOException e) {
      throw new StoreException("cannot remove %s".formatted(copy), e);
    }
  }

  /**
   * Copies the replica in a folder while its gateway writes. The copy does not name the files
   * beside the database, which belong to the folder.
   *
   * @param copy a new file
   * @return the copy's newest change
   * @throws StoreException when a row is damaged
   */
  public static Head copy(Path folder, Path copy) {
    new SqliteDatabase(folder.resolve(SqliteFiles.DATABASE)).copyIntactTo(copy);
    SqliteDatabase database = new SqliteDatabase(copy);
    try (Connection connection = database.openAlone();
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM companion");
      return head(copy, connection);
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  /**
   * The newest change of a copy.
   *
   * @throws StoreException when the file is not a replica
   */
  public static Head head(Path copy) {
    NativeLibraries.unpackBelow(copy.resolveSibling(""));
    SqliteDatabase database = new SqliteDatabase(copy);
    try (Connection connection = database.openAlone()) {
      return head(copy, connection);
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  private static Head head(Path copy, Connection connection) throws SQLException {
    Head head = ReplicaTables.newest(connection);
    if (head == null) {
      throw new StoreException("%s is not a copy of a replica".formatted(copy));
    }
    return head;
  }

  /**
   * Makes a replica of a copy of a single gateway's store.
   *
   * @param log the id of the log that continues it
   * @param hash of the newest batch of each endpoint, because that log has no message of them
   */
  public static Head join(Path copy, String log, byte[] hash) {
    SqliteDatabase database = new SqliteDatabase(copy);
    try (Connection connection = database.openAlone();
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      ReplicaTables.create(connection, log, 0);
      try (PreparedStatement heads =
          connection.prepareStatement("INSERT INTO log_head SELECT number, ? FROM endpoint")) {
        heads.setBytes(1, hash);
        heads.executeUpdate();
      }
      statement.execute("DELETE FROM companion");
      statement.execute("COMMIT");
      return head(copy, connection);
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  /**
   * Converts the replica in a folder into the store of a single gateway.
   *
   * @param companions files beside the database that it needs from now on
   * @return the content, which the conversion does not change
   * @throws StoreException when the content would change; nothing was changed then
   */
  public static StoredContent leave(Path folder, List<Companion> companions) {
    SqliteDatabase database = new SqliteDatabase(folder.resolve(SqliteFiles.DATABASE));
    try (DataFolderLock _ = DataFolderLock.take(folder);
        Connection connection = database.openAlone();
        Statement statement = connection.createStatement();
        PreparedStatement insert =
            connection.prepareStatement("INSERT OR IGNORE INTO companion VALUES (?)")) {
      statement.execute("BEGIN IMMEDIATE");
      StoredContent before = StoredContent.of(connection);
      statement.execute("PRAGMA application_id = 0");
      statement.execute("DROP TABLE replica");
      statement.execute("DROP TABLE log_head");
      for (Companion companion : companions) {
        insert.setString(1, companion.file());
        insert.executeUpdate();
      }
      StoredContent after = StoredContent.of(connection);
      if (!after.equals(before)) {
        throw new StoreException(
            "the store would have %s, but the replica has %s".formatted(after, before));
      }
      statement.execute("COMMIT");
      return after;
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  /** The content of a database, to which nobody may write. */
  public static StoredContent content(Path file) {
    NativeLibraries.unpackBelow(file.resolveSibling(""));
    SqliteDatabase database = new SqliteDatabase(file);
    try (Connection connection = database.openAlone()) {
      return StoredContent.of(connection);
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  /** The position of the newest change in a database. */
  public static long position(Path file) {
    SqliteDatabase database = new SqliteDatabase(file);
    try (Connection connection = database.openAlone();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT coalesce(max(position), 0) FROM fact")) {
      return row.getLong(1);
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  /**
   * Puts a copy in the place of the replica in a folder, at once or not at all. The copy takes over
   * which files beside the database this folder needs.
   *
   * @param copy a file in the folder; it is moved
   * @param gaps the position up to which the log fills the replica
   */
  public static void install(Path folder, Path copy, long gaps) {
    try (DataFolderLock _ = DataFolderLock.take(folder)) {
      replace(folder, copy, gaps);
    }
  }

  /** Does the same in a folder that the caller has locked. */
  public static void replace(Path folder, Path copy, long gaps) {
    Path file = folder.resolve(SqliteFiles.DATABASE);
    NativeLibraries.unpackBelow(folder);
    List<String> companions = companions(file);
    SqliteDatabase database = new SqliteDatabase(copy);
    database.makePrivate();
    try (Connection connection = database.openAlone();
        PreparedStatement mark = connection.prepareStatement("UPDATE replica SET gaps = ?");
        PreparedStatement insert =
            connection.prepareStatement("INSERT OR IGNORE INTO companion VALUES (?)")) {
      mark.setLong(1, gaps);
      mark.executeUpdate();
      for (String name : companions) {
        insert.setString(1, name);
        insert.executeUpdate();
      }
    } catch (SQLException e) {
      throw database.explain(e);
    }
    try {
      sync(copy);
      // A log of the former database must not be applied to the new one.
      for (String suffix : SUFFIXES) {
        Files.deleteIfExists(beside(file, suffix));
      }
      Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      sync(folder);
    } catch (IOException e) {
      throw new StoreException(
          "cannot put a snapshot into %s: %s".formatted(folder, e.getMessage()), e);
    }
  }

  /** Reads the names and empties the write-ahead log of the database that is replaced. */
  private static List<String> companions(Path file) {
    List<String> names = new ArrayList<>();
    if (!SqliteFiles.hasContent(file)) {
      return names;
    }
    SqliteDatabase database = new SqliteDatabase(file);
    try (Connection connection = database.openAlone();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT name FROM companion")) {
      while (row.next()) {
        names.add(row.getString(1));
      }
      return names;
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path)) {
      channel.force(true);
    }
  }

  private static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /** Whether a folder has a database of a gateway without a cluster. */
  public static boolean isSingle(Path folder) {
    Path file = folder.resolve(SqliteFiles.DATABASE);
    if (!SqliteFiles.hasContent(file) || Files.isSymbolicLink(file)) {
      return false;
    }
    SqliteDatabase database = new SqliteDatabase(file);
    if (database.isReplica()) {
      return false;
    }
    NativeLibraries.unpackBelow(folder);
    try (Connection connection = database.openForReading();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*) FROM sqlite_schema WHERE name = 'endpoint'")) {
      return row.getInt(1) > 0
          && ReplicaTables.log(connection) == null
          && ReplicaTables.hasEndpoints(connection);
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }
}
