package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.gateway.store.sqlite.rows.CheckedTables;
import dev.vigil.gateway.store.sqlite.rows.ChecksumMigration;
import dev.vigil.gateway.store.sqlite.rows.DamagedRowException;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteOpenMode;

/**
 * Opens connections to the SQLite file, migrates the schema, and explains errors to the operator.
 */
final class SqliteDatabase {
  private static final Logger log = LoggerFactory.getLogger(SqliteDatabase.class);

  /** The number of 4 KiB pages in the write-ahead log before a checkpoint: 32 MiB. */
  private static final int CHECKPOINT_PAGES = 8192;

  /**
   * The number of the newest migration, {@link ChecksumMigration}. If the header of a database has
   * this number, Flyway is skipped, because it takes half a second to find nothing to do.
   */
  static final int SCHEMA_VERSION = 7;

  /**
   * The application id of a replica, "VigR". It is in the header of the file (Database File Format,
   * section 1.3.14), so that it can be read although the rest is damaged.
   */
  static final int REPLICA = 0x56_69_67_52;

  private static final int REPLICA_AT = 68;

  /** With fewer free 4 KiB pages than this (2 MiB), rewriting the file is not worthwhile. */
  private static final int FEW_FREE_PAGES = 512;

  private static final Properties DRIVER = driver();

  private final Path file;

  /** Completed when a running store finds that the file is damaged. */
  private final CompletableFuture<StoreException> damage = new CompletableFuture<>();

  SqliteDatabase(Path file) {
    this.file = file;
  }

  /**
   * Whether the header says that this is a replica. A mark in the write-ahead log is not in the
   * header yet.
   */
  boolean isReplica() {
    ByteBuffer mark = ByteBuffer.allocate(Integer.BYTES);
    try (FileChannel header = FileChannel.open(file)) {
      return header.read(mark, REPLICA_AT) == Integer.BYTES && mark.flip().getInt() == REPLICA;
    } catch (IOException e) {
      return false; // SQLite reports the error when it opens the file.
    }
  }

  /** The size of the database and of its write-ahead log; a missing file counts as 0. */
  long octets() {
    return file.toFile().length() + Path.of(file + "-wal").toFile().length();
  }

  private static Properties driver() {
    SQLiteConfig config = new SQLiteConfig();
    // With generated keys, the driver would run a query for the row id after every insert.
    config.setGetGeneratedKeys(false);
    // Only one thread uses a connection at a time, and the driver has its own lock. SQLite's mutex
    // would only add cost, because SQLite takes it for each value of each row.
    config.setOpenMode(SQLiteOpenMode.NOMUTEX);
    return config.toProperties();
  }

  /**
   * Makes the file readable only for its owner. SQLite gives new files beside it the same mode.
   *
   * @throws StoreException when a file is a symbolic link or cannot be created or changed
   */
  void makePrivate() {
    try {
      PrivateFiles.requireFile(file);
      for (String suffix : List.of("-wal", "-shm")) {
        Path beside = file.resolveSibling(file.getFileName() + suffix);
        if (Files.exists(beside, LinkOption.NOFOLLOW_LINKS)) {
          PrivateFiles.requireFile(beside);
        }
      }
    } catch (IOException e) {
      throw new StoreException(message(SQLiteErrorCode.SQLITE_CANTOPEN), e);
    }
  }

  /** Migrates the schema to {@link #SCHEMA_VERSION}. */
  void migrate() {
    try {
      // This statement reads the file first, so that a damaged file is reported as damaged.
      if (schemaVersion() == SCHEMA_VERSION) {
        return;
      }
      keepFormer();
      Flyway.configure()
          .dataSource(url(), null, null)
          .locations("classpath:db/migration")
          .javaMigrations(new ChecksumMigration())
          .loggers("slf4j")
          // By default, Flyway accepts a database with migrations of a newer version.
          .ignoreMigrationPatterns(new String[0])
          .load()
          .migrate();
      open("PRAGMA user_version = " + SCHEMA_VERSION).close();
    } catch (FlywayValidateException e) {
      throw new StoreException(
          "the database "
              + file
              + " was written by a newer version of Vigil: run that version, or give another folder"
              + " with --data-dir",
          e);
    } catch (SQLException | FlywayException e) {
      throw explain(e);
    }
  }

  /**
   * Returns free pages to the disk when they exceed half of the file, for instance after a flood of
   * names was forgotten. A failure leaves the file unchanged.
   */
  void compact() {
    try {
      int free = number("PRAGMA freelist_count");
      if (free >= FEW_FREE_PAGES && free > number("PRAGMA page_count") / 2) {
        open("VACUUM").close();
      }
    } catch (SQLException e) {
      log.warn("the database {} keeps its free pages: {}", file, explain(e).getMessage());
    }
  }

  private int schemaVersion() throws SQLException {
    return number("PRAGMA user_version");
  }

  private int number(String query) throws SQLException {
    try (Connection connection = open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.getInt(1);
    }
  }

  /** Keeps a copy of a file in an older format, so that an older version can open it again. */
  private void keepFormer() throws SQLException {
    int former = format();
    if (former == 0 || former >= SCHEMA_VERSION) {
      return;
    }
    String name = "%s.format-%d".formatted(file.getFileName(), former);
    Path copy = file.resolveSibling(name);
    for (int i = 2; Files.exists(copy, LinkOption.NOFOLLOW_LINKS); i++) {
      copy = file.resolveSibling(name + "-" + i);
    }
    copyTo(copy);
    log.info(
        "the database {} is being upgraded from data format {} to {}; the former file is kept as {}",
        file,
        former,
        SCHEMA_VERSION,
        copy.getFileName());
  }

  /** The number of the newest applied migration; 0 for an empty file. */
  private int format() throws SQLException {
    boolean empty =
        number("SELECT count(*) FROM sqlite_schema WHERE name = 'flyway_schema_history'") == 0;
    return empty
        ? 0
        : number("SELECT max(CAST(version AS INTEGER)) FROM flyway_schema_history WHERE success");
  }

  /**
   * Copies a snapshot of the database into a new file that only its owner can read, and syncs the
   * file. Other processes may write to the database meanwhile.
   *
   * @return the data format of the copy
   * @throws StoreException when reading or writing fails; no copy is left behind
   */
  int copyTo(Path copy) {
    try {
      Files.createFile(copy, PrivateFiles.NEW_FILE);
    } catch (IOException e) {
      throw new StoreException(
          "cannot make %s: %s".formatted(copy, firstLine(e.getClass().getSimpleName())), e);
    }
    try (Connection connection = open("PRAGMA synchronous = FULL");
        PreparedStatement vacuum = connection.prepareStatement("VACUUM INTO ?")) {
      vacuum.setString(1, copy.toString());
      vacuum.execute();
      try (FileChannel made = FileChannel.open(copy, StandardOpenOption.WRITE)) {
        made.force(true);
      }
      return new SqliteDatabase(copy).format();
    } catch (SQLException | IOException e) {
      delete(copy);
      throw explain(e);
    }
  }

  /**
   * Does the same, and reads every row of the copy.
   *
   * @throws StoreException when a row is damaged; no copy is left behind
   */
  int copyIntactTo(Path copy) {
    int format = copyTo(copy);
    try (Connection connection = new SqliteDatabase(copy).openForReading()) {
      if (format >= CheckedTables.SINCE) {
        CheckedTables.requireIntact(connection);
      }
      return format;
    } catch (SQLException e) {
      delete(copy);
      throw explain(e);
    }
  }

  private static void delete(Path copy) {
    try {
      Files.deleteIfExists(copy);
    } catch (IOException e) {
      log.warn("cannot delete the unfinished copy {}", copy, e);
    }
  }

  Connection openForWriting() throws SQLException {
    return open(
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES,
        "PRAGMA journal_size_limit = 67108864",
        "PRAGMA cache_size = -16384");
  }

  /** Opens a file that no other connection uses, so that all of it is in one file. */
  Connection openAlone() throws SQLException {
    return open("PRAGMA journal_mode = DELETE", "PRAGMA synchronous = FULL");
  }

  Connection openForReading() throws SQLException {
    return open("PRAGMA query_only = ON", "PRAGMA cache_size = -2048");
  }

  private Connection open(String... pragmas) throws SQLException {
    Connection connection = DriverManager.getConnection(url(), DRIVER);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 5000");
      for (String pragma : pragmas) {
        statement.execute(pragma);
      }
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private String url() {
    return "jdbc:sqlite:" + file;
  }

  /** Whether the file itself is damaged, so that trying again does not help. */
  static boolean isDamage(@Nullable Throwable failure) {
    if (failure instanceof StoreException explained) {
      return isDamage(explained.getCause());
    }
    if (failure instanceof DamagedRowException) {
      return true;
    }
    if (!(failure instanceof SQLException e)) {
      return false;
    }
    int code = e instanceof SQLiteException known ? known.getResultCode().code : e.getErrorCode();
    return switch (SQLiteErrorCode.getErrorCode(code & 0xff)) {
      // SQLITE_ERROR also means damage, because the statements here fit the schema.
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR -> true;
      default -> false;
    };
  }

  /** Completes when a running store finds that the file is damaged. */
  CompletableFuture<StoreException> damage() {
    return damage;
  }

  /** Explains a failure of a running store. */
  StoreException explainAndNote(Throwable thrown) {
    StoreException explained = explain(thrown);
    note(explained);
    return explained;
  }

  /** Notes the first damage that is found. */
  void note(StoreException failure) {
    if (isDamage(failure)) {
      damage.complete(failure);
    }
  }

  /** Returns an exception whose message names the file, the fault and the remedy. */
  StoreException explain(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof DamagedRowException e) {
        return new StoreException(damaged(firstLine(e.getMessage())), thrown);
      }
      if (t instanceof SQLiteException e) {
        return new StoreException(message(e.getResultCode()), thrown);
      }
      if (t instanceof SQLException e && e.getErrorCode() != 0) {
        return new StoreException(message(SQLiteErrorCode.getErrorCode(e.getErrorCode())), thrown);
      }
    }
    return new StoreException(
        "cannot use the database " + file + ": " + firstLine(thrown.getMessage()), thrown);
  }

  private String message(SQLiteErrorCode code) {
    // The low octet of an extended code is the primary code.
    return switch (SQLiteErrorCode.getErrorCode(code.code & 0xff)) {
      case SQLITE_CORRUPT, SQLITE_NOTADB -> damaged("");
      case SQLITE_ERROR -> damaged("its schema");
      case SQLITE_FULL ->
          "the disk that holds " + file + " is full: free some space, then try again";
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH ->
          "the database "
              + file
              + " cannot be written by user "
              + System.getProperty("user.name")
              + ": change its owner or mode, or give another folder with --data-dir";
      case SQLITE_BUSY, SQLITE_LOCKED ->
          "the database " + file + " is locked by another program: stop it, then try again";
      case SQLITE_IOERR ->
          "the disk that holds " + file + " fails (" + code.message + "): see the system log";
      default -> "cannot use the database " + file + ": " + code.message;
    };
  }

  private String damaged(String what) {
    return "the database "
        + file
        + " is damaged"
        + (what.isEmpty() ? "" : " (%s)".formatted(what))
        + ": put a backup in its place, or move it away (with its -wal and -shm) to start empty;"
        + " \"sqlite3 "
        + file
        + " .recover\" saves the readable part";
  }

  static String firstLine(@Nullable String message) {
    return message == null ? "no reason given" : message.lines().findFirst().orElse("");
  }
}
