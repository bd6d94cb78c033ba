package dev.vigil.gateway.store.sqlite.rows;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Damage that the checksums of rows do not show: a row that is missing, or that searches do not
 * find. Groups of older facts are too many to be read at each start, but their index is.
 */
public final class StructureCheck {
  private static final List<String> TABLES = List.of("endpoint", "fact", "older_slot");

  /** The rows with a value of another type, which has the same octets but sorts differently. */
  private static final List<String> OTHER_TYPES =
      List.of(
          "endpoint WHERE typeof(id) <> 'text'",
          """
          fact WHERE typeof(slot) <> 'text' OR typeof(body) <> 'blob'
            OR typeof(max(position, ord, endpoint, keep, sequence, high, version, at)) <> 'integer'
          """,
          """
          older_slot WHERE typeof(slot) <> 'text'
            OR typeof(max(coalesce(endpoint, 0), octets, shares)) <> 'integer'
          """);

  private static final String WITHOUT_GROUPS =
      """
      older_slot LEFT JOIN (%s) AS indexed ON indexed.slot = number
      WHERE shares <> coalesce(found, 0)
      """
          .formatted(CheckedTables.SHARES);

  private StructureCheck() {}

  /** Opens a connection, or reads something. */
  @FunctionalInterface
  public interface Step<T> {
    T run() throws SQLException;
  }

  /**
   * Checks the file from which a store is opened, on a thread and a connection of its own, while
   * the caller reads from it.
   *
   * @throws DamagedRowException when something is missing or would not be found
   */
  public static <T> T whileReading(Step<Connection> open, Step<T> reading) throws SQLException {
    FutureTask<Boolean> check = new FutureTask<>(() -> run(open));
    Thread.ofPlatform().name("store-check").daemon().start(check);
    try {
      return reading.run();
    } finally {
      await(check);
    }
  }

  private static void await(FutureTask<Boolean> check) throws SQLException {
    try {
      check.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SQLException fault ? fault : new SQLException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while the database was checked", e);
    }
  }

  private static boolean run(Step<Connection> open) throws SQLException {
    try (Connection connection = open.run()) {
      run(connection);
      return true;
    }
  }

  private static void run(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        try (ResultSet row =
            statement.executeQuery("PRAGMA integrity_check(%s)".formatted(table))) {
          String found = row.getString(1);
          if (!found.equals("ok")) {
            throw new DamagedRowException("the table %s: %s".formatted(table, found), null);
          }
        }
      }
      for (String rows : OTHER_TYPES) {
        requireNone(statement, rows);
      }
      CheckedTables.requireSearched(connection);
      requireNone(statement, WITHOUT_GROUPS);
    }
  }

  private static void requireNone(Statement statement, String rows) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT 1 FROM %s LIMIT 1".formatted(rows))) {
      if (row.next()) {
        throw new DamagedRowException(
            "the table %s".formatted(rows.substring(0, rows.indexOf(' '))), null);
      }
    }
  }
}
