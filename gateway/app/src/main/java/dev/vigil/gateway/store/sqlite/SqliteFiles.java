package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.StoreFiles;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** {@link StoreFiles} for SQLite. */
public final class SqliteFiles {
  public static final String DATABASE = "vigil.db";
  public static final String LOCK = DataFolderLock.NAME;
  public static final int FORMAT = SqliteDatabase.SCHEMA_VERSION;
  public static final String DATABASE_LOSS =
      "registrations, values, approvals, accounts and rules are lost, and what was recorded can be"
          + " played in once: approve keys anew";

  private SqliteFiles() {}

  public static int copy(Path folder, Path target) {
    return existing(folder).copyTo(target);
  }

  public static Store open(Path folder, LongSupplier nanoTime) {
    return SqliteStore.open(folder, nanoTime);
  }

  public static StoreFiles.Lock lock(Path folder) {
    DataFolderLock lock = DataFolderLock.take(folder);
    return lock::close;
  }

  /** An older format has no list; the migration makes it. */
  public static void forget(Path folder, Companion companion) {
    SqliteDatabase database = existing(folder);
    database.migrate();
    new CompanionTable(database).remove(companion.file());
  }

  /** The folder must be locked, and have no database. */
  public static void create(Path folder) {
    SqliteDatabase database = new SqliteDatabase(folder.resolve(DATABASE));
    database.makePrivate();
    database.migrate();
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
