package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.StoreFiles;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** {@link StoreFiles} for SQLite. */
public final class SqliteFiles {
  public static final String DATABASE = "vigil.db";
  public static final String LOCK = DataFolderLock.NAME;
  public static final int FORMAT = SqliteDatabase.SCHEMA_VERSION;

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

  private static SqliteDatabase existing(Path folder) {
    Path file = folder.resolve(DATABASE);
    if (!Files.isRegularFile(file)) {
      throw new StoreException(
          "there is no database %s: name the data folder with --data-dir".formatted(file));
    }
    return new SqliteDatabase(file);
  }
}
