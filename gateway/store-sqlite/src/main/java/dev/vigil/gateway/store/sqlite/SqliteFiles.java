package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.sqlite.folder.DataFolderLock;
import dev.vigil.gateway.store.sqlite.folder.NativeLibraries;
import dev.vigil.gateway.store.sqlite.rows.FactRow;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** The store's files, for commands that run beside a gateway or without it. */
public final class SqliteFiles {
  /** The database file in the data folder; files whose names begin with this name belong to it. */
  public static final String DATABASE = "vigil.db";

  /** The consequence of replacing a lost database with an empty database. */
  public static final String DATABASE_LOSS =
      "registrations, values, approvals, accounts and rules are lost, and each recorded message"
          + " can be replayed once: approve keys again";

  /** The file that a process locks while it uses the data folder. */
  public static final String LOCK = DataFolderLock.NAME;

  /** The number of the data format that this version reads and writes. */
  public static final int FORMAT = SqliteDatabase.SCHEMA_VERSION;

  /**
   * The folder below the data folder in which a restore works; the restore removes it at its end.
   */
  public static final String UNFINISHED = "restore.tmp";

  /** The folder of unpacked libraries in the data folder. */
  public static final String NATIVE = NativeLibraries.NAME;

  private static final String NEWEST =
      "SELECT %s FROM fact WHERE position = (SELECT max(position) FROM fact)"
          .formatted(FactRow.COLUMNS);

  private static final String MOVE =
      "UPDATE fact SET position = ?, crc = ? WHERE position = ? AND ord = ?";

  private SqliteFiles() {}

  /**
   * Copies a snapshot of the database; a gateway may be using it.
   *
   * @param folder the data folder
   * @param target a new file, created with mode 0600
   * @return the number of the copy's data format
   * @throws StoreException when the database does not exist, is damaged, or cannot be read or
   *     copied
   */
  public static int copy(Path folder, Path target) {
    NativeLibraries.unpackBelow(folder);
    return existing(folder).copyIntactTo(target);
  }

  /** Locks a folder and opens its store; migrates an older format. */
  public static Store open(Path folder, LongSupplier nanoTime) {
    NativeLibraries.unpackBelow(folder);
    return SqliteStore.open(folder, nanoTime);
  }

  /**
   * Locks a data folder in which no store is open.
   *
   * @throws StoreException when another process has locked it
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

  /** Creates an empty database. The folder must be locked and must not contain a database. */
  public static void create(Path folder) {
    NativeLibraries.unpackBelow(folder);
    SqliteDatabase database = new SqliteDatabase(folder.resolve(DATABASE));
    database.makePrivate();
    database.migrate();
  }

  /**
   * Removes a companion from the list of files that the database needs. The folder must be locked.
   * An older format has no list; the migration creates it.
   */
  public static void forget(Path folder, Companion companion) {
    NativeLibraries.unpackBelow(folder);
    SqliteDatabase database = existing(folder);
    database.migrate();
    new CompanionTable(database).remove(companion.file());
  }

  /**
   * Raises the position of the newest change in the feed, and thereby the positions of all future
   * changes. The folder must be locked, and no store may be open.
   *
   * @param by the number of positions to skip, 0 or more
   */
  public static void raisePosition(Path folder, long by) {
    SqliteDatabase database = existing(folder);
    try (Connection connection = database.openForWriting();
        Statement select = connection.createStatement();
        ResultSet row = select.executeQuery(NEWEST);
        PreparedStatement move = connection.prepareStatement(MOVE)) {
      while (row.next()) {
        FactRow fact = FactRow.read(row);
        FactRow moved = fact.at(fact.position() + by);
        move.setLong(1, moved.position());
        move.setLong(2, moved.checksum());
        move.setLong(3, fact.position());
        move.setInt(4, fact.ord());
        move.addBatch();
      }
      move.executeBatch();
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  /**
   * An empty database beside existing keys and counters would accept replays of recorded messages.
   * A replica is filled from the log.
   */
  static void requireDatabaseBesideCompanions(Path folder) {
    Path file = folder.resolve(DATABASE);
    if (hasContent(file)) {
      return;
    }
    Arrays.stream(Companion.values())
        .filter(companion -> hasContent(folder.resolve(companion.file())))
        .findFirst()
        .ifPresent(
            companion -> {
              throw new StoreException(
                  "%s is missing or empty beside %s: restore it from a backup, or give up the stored state with: vigil replace %s --data-dir %s (%s)"
                      .formatted(file, companion.file(), DATABASE, folder, DATABASE_LOSS));
            });
  }

  static boolean hasContent(Path file) {
    try {
      return Files.size(file) > 0;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      // SQLite reports the error when it opens the file.
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
