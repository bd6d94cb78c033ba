package dev.vigil.gateway.store;

import dev.vigil.gateway.store.sqlite.SqliteFiles;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** The store's files, for the commands that work beside a running gateway or without one. */
public final class StoreFiles {
  /** The database in the data folder; files whose names begin with it belong to it. */
  public static final String DATABASE = SqliteFiles.DATABASE;

  /** The consequence of an empty database in place of a lost one. */
  public static final String DATABASE_LOSS = SqliteFiles.DATABASE_LOSS;

  /** The file that a process locks while it uses the data folder. */
  public static final String LOCK = SqliteFiles.LOCK;

  /** The number of the data format that this version reads and writes. */
  public static final int FORMAT = SqliteFiles.FORMAT;

  /** A restoration works in this folder below the data folder, and removes it at its end. */
  public static final String UNFINISHED = "restore.tmp";

  /** The folder of unpacked libraries in the data folder. */
  public static final String NATIVE = "native";

  private StoreFiles() {}

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
    return SqliteFiles.copy(folder, target);
  }

  /** Opens the store of a folder, which is then locked; an older format is migrated. */
  public static Store open(Path folder, LongSupplier nanoTime) {
    NativeLibraries.unpackBelow(folder);
    return SqliteFiles.open(folder, nanoTime);
  }

  /**
   * Locks a data folder that no store is opened in.
   *
   * @throws StoreException when another process has it
   */
  public static Lock lock(Path folder) {
    return SqliteFiles.lock(folder);
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
    SqliteFiles.create(folder);
  }

  /** Takes a file off the list of those that the database needs. The folder must be locked. */
  public static void forget(Path folder, Companion companion) {
    NativeLibraries.unpackBelow(folder);
    SqliteFiles.forget(folder, companion);
  }
}
