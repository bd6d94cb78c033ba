package dev.vigil.gateway.store;

import dev.vigil.directory.state.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteOpenMode;

/** The SQLite file: how it is opened, and what its errors mean to an operator. */
final class Database {
  /** Pages of 4 KiB in the write-ahead log before it is folded into the file: 32 MiB. */
  private static final int CHECKPOINT_PAGES = 8192;

  /**
   * The number of the newest file in {@code db/migration}. A database that has it in its header
   * need not wait half a second for Flyway to find nothing to do.
   */
  static final int SCHEMA = 3;

  private static final Properties DRIVER = driver();

  private final Path file;

  Database(Path file) {
    this.file = file;
  }

  private static Properties driver() {
    SQLiteConfig config = new SQLiteConfig();
    // Else the driver prepares and runs a query after every row, to ask for its number.
    config.setGetGeneratedKeys(false);
    // No connection of ours is used by two threads at a time, and the driver has a lock of its own:
    // SQLite's, taken for each value of each row, would be a third.
    config.setOpenMode(SQLiteOpenMode.NOMUTEX);
    return config.toProperties();
  }

  /** Brings the schema to what this version of the program knows. */
  void migrate() {
    try {
      // The first statement that reads the file, so that damage is told as damage.
      if (schema() == SCHEMA) {
        return;
      }
      Flyway.configure()
          .dataSource(url(), null, null)
          .locations("classpath:db/migration")
          .loggers("slf4j")
          // Without this a migration from the future would be let pass.
          .ignoreMigrationPatterns(new String[0])
          .load()
          .migrate();
      open("PRAGMA user_version = " + SCHEMA).close();
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

  private int schema() throws SQLException {
    try (Connection connection = open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA user_version")) {
      return row.getInt(1);
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

  /** The sentence that names the file and the way out. */
  StoreException explain(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof SQLiteException e) {
        return new StoreException(sentence(e.getResultCode()), thrown);
      }
      if (t instanceof SQLException e && e.getErrorCode() != 0) {
        return new StoreException(sentence(SQLiteErrorCode.getErrorCode(e.getErrorCode())), thrown);
      }
    }
    return new StoreException(
        "cannot use the database " + file + ": " + firstLine(thrown.getMessage()), thrown);
  }

  private String sentence(SQLiteErrorCode code) {
    // Extended codes keep the plain one in the low octet.
    return switch (SQLiteErrorCode.getErrorCode(code.code & 0xff)) {
      case SQLITE_CORRUPT, SQLITE_NOTADB ->
          "the database "
              + file
              + " is damaged: put a backup in its place, or move it away (with its -wal and -shm) to"
              + " begin empty; \"sqlite3 "
              + file
              + " .recover\" saves what can be read";
      case SQLITE_FULL -> "the disk that holds " + file + " is full: make room, then try again";
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH ->
          "the database "
              + file
              + " cannot be written by user "
              + System.getProperty("user.name")
              + ": change its owner or mode, or give another folder with --data-dir";
      case SQLITE_BUSY, SQLITE_LOCKED ->
          "the database " + file + " is locked by another program: end it, then try again";
      case SQLITE_IOERR ->
          "the disk that holds " + file + " fails (" + code.message + "): see the system's log";
      default -> "cannot use the database " + file + ": " + code.message;
    };
  }

  private static String firstLine(@Nullable String message) {
    return message == null ? "no reason given" : message.lines().findFirst().orElse("");
  }
}
