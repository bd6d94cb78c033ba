package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.Companion;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.LongSupplier;

/** The store's files, for the commands that work beside a running gateway or without one. */
public final class SqliteFiles {
  /** The database in the data folder; files whose names begin with it belong to it. */
  public static final String DATABASE = "vigil.db";

  /** The consequence of an empty database in place of a lost one. */
  public static final String DATABASE_LOSS =
      "registrations, values, approvals, accounts and rules are lost, and what was recorded can be"
          + " played in once: approve keys anew";

  /** The file that a process locks while it uses the data folder. */
  public static final String LOCK = DataFolderLock.NAME;

  /** The number of the data format that this version reads and writes. */
  public static final int FORMAT = SqliteDatabase.SCHEMA_VERSION;

  /** A restore works in this folder below the data folder, and removes it at its end. */
  public static final String UNFINISHED = "restore.tmp";

  /** The folder of unpacked libraries in the data folder. */
  public static final String NATIVE = "native";

  private static final String RAISE =
      "UPDATE fact SET position = position + ? WHERE position = (SELECT max(position) FROM fact)";

  private SqliteFiles() {}

  /**
   * Copies the database as it is at one moment, while a gateway may run on it.
   *
   * @param folder the data folder
   * @param target a new file, made with mode 0600
   * @return the number of the copy's data format
   * @throws StoreException when there is no database, or it cannot be read or copied
   */
  public static int copy(Path folder, Path target) {
    NativeLibraries.unpackBelow(folder);
    return existing(folder).copyTo(target);
  }

  /** Opens the store of a folder, which is then locked; an older format is migrated. */
  public static Store open(Path folder, LongSupplier nanoTime) {
    NativeLibraries.unpackBelow(folder);
    return SqliteStore.open(folder, nanoTime);
  }

  /**
   * Locks a data folder in which no store is open.
   *
   * @throws StoreException when another process has it
   */
  public static Lock lock(Path folder) {
    DataFolderLock lock = DataFolderLock.take(folder);
    return lock::close;
  }

  /** A locked data folder. */
  @FunctionalInterface
  public interface Lock extends AutoCloseable {
    @Override
    void close();
  }

  /** Makes an empty database. The folder must be locked, and have none. */
  public static void create(Path folder) {
    NativeLibraries.unpackBelow(folder);
    SqliteDatabase database = new SqliteDatabase(folder.resolve(DATABASE));
    database.makePrivate();
    database.migrate();
  }

  /**
   * Removes a file from the list of those that the database needs. The folder must be locked. An
   * older format has no list; the migration makes it.
   */
  public static void forget(Path folder, Companion companion) {
    NativeLibraries.unpackBelow(folder);
    SqliteDatabase database = existing(folder);
    database.migrate();
    new CompanionTable(database).remove(companion.file());
  }

  /**
   * Moves the newest change up in the feed, and so all later ones, of which none is known yet. The
   * folder must be locked, and no store may be open.
   *
   * @param by positions that are skipped, 0 or more
   */
  public static void raisePosition(Path folder, long by) {
    SqliteDatabase database = existing(folder);
    try (Connection connection = database.openForWriting();
        PreparedStatement update = connection.prepareStatement(RAISE)) {
      update.setLong(1, by);
      update.executeUpdate();
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  static boolean hasContent(Path file) {
    try {
      return Files.size(file) > 0;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      // SQLite explains what is wrong when it opens the file.
      return true;
    }
  }

  private static SqliteDatabase existing(Path folder) {
    Path file = folder.resolve(DATABASE);
    if (!Files.isRegularFile(file)) {
      throw new StoreException(
          "there is no database %s: name the data folder with --data-dir".formatted(file));
    }
    return new SqliteDatabase(file);
  }
}
