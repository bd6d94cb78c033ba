package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.EndpointStateIndex.Identity;
import dev.vigil.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The tables that only a replica has: the id of the log that fills it, and the hash of each
 * endpoint's newest batch in that log.
 */
final class ReplicaTables {
  private static final String MARK = "PRAGMA application_id = %d".formatted(SqliteDatabase.REPLICA);

  private static final String KNOWN =
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'replica'";

  private static final String HEAD =
      "INSERT INTO log_head VALUES (?, ?) ON CONFLICT (endpoint) DO UPDATE SET hash = excluded.hash";

  private static final String NEWEST =
      """
      SELECT position, hash FROM fact JOIN log_head ON log_head.endpoint = fact.endpoint
      ORDER BY position DESC LIMIT 1
      """;

  private final PreparedStatement head;
  private final PreparedStatement forget;

  ReplicaTables(Connection connection) throws SQLException {
    head = connection.prepareStatement(HEAD);
    forget = connection.prepareStatement("DELETE FROM log_head WHERE endpoint = ?");
  }

  /**
   * Checks that a database belongs to a log, or to none, and marks an empty one.
   *
   * @param log the id of the log; null for the store of a single gateway
   * @param gaps the position up to which the log lacks messages, for an empty database
   * @throws StoreException when the database belongs to another log or to a single gateway
   */
  static void require(Path folder, SqliteDatabase database, @Nullable String log, long gaps)
      throws SQLException {
    String found;
    boolean empty;
    try (Connection connection = database.openForReading()) {
      found = log(connection);
      empty = found == null && log != null && !hasEndpoints(connection);
    }
    if (log != null && empty) {
      create(database, log, gaps);
    } else if (log != null && log.equals(found)) {
      mark(database); // Earlier versions did not.
    } else if (log == null && found != null) {
      throw new StoreException(
          "the data folder %s holds a replica of the cluster %s: start with the --store of that cluster, or give another folder with --data-dir"
              .formatted(folder, found));
    } else if (log != null) {
      throw new StoreException(
          found == null
              ? "the data folder %s holds the store of a single gateway: give a new folder with --data-dir"
                  .formatted(folder)
              : "the data folder %s holds a replica of the cluster %s, not of %s: correct --store, or give another folder with --data-dir"
                  .formatted(folder, found, log));
    }
  }

  /** The position up to which the log lacks messages. */
  static long gaps(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT gaps FROM replica")) {
      return row.getLong(1);
    }
  }

  /** The newest change of a replica; null if it is no replica. */
  static ReplicaFiles.@Nullable Head newest(Connection connection) throws SQLException {
    String log = log(connection);
    if (log == null) {
      return null;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(NEWEST)) {
      return row.next()
          ? new ReplicaFiles.Head(log, row.getLong(1), row.getBytes(2))
          : new ReplicaFiles.Head(log, 0, EndpointStateIndex.NO_HASH);
    }
  }

  static @Nullable String log(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet known = statement.executeQuery(KNOWN)) {
        if (known.getInt(1) == 0) {
          return null;
        }
      }
      try (ResultSet row = statement.executeQuery("SELECT log FROM replica")) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }

  static boolean hasId(Connection connection, String id) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT EXISTS (SELECT 1 FROM endpoint WHERE id = ?)")) {
      select.setString(1, id);
      try (ResultSet row = select.executeQuery()) {
        return row.getBoolean(1);
      }
    }
  }

  static boolean hasEndpoints(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT EXISTS (SELECT 1 FROM endpoint)")) {
      return row.getBoolean(1);
    }
  }

  private static void create(SqliteDatabase database, String log, long gaps) throws SQLException {
    try (Connection connection = database.openForWriting();
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      create(connection, log, gaps);
      statement.execute("COMMIT");
    }
  }

  private static void mark(SqliteDatabase database) throws SQLException {
    if (!database.isReplica()) {
      try (Connection connection = database.openForWriting();
          Statement statement = connection.createStatement()) {
        statement.execute(MARK);
      }
    }
  }

  /** Makes the tables and marks the database as a replica. */
  static void create(Connection connection, String log, long gaps) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(MARK);
      statement.execute(
          "CREATE TABLE IF NOT EXISTS replica (log TEXT NOT NULL, gaps INTEGER NOT NULL)");
      statement.execute(
          "CREATE TABLE IF NOT EXISTS log_head (endpoint INTEGER PRIMARY KEY, hash BLOB NOT NULL)");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO replica VALUES (?, ?)")) {
        insert.setString(1, log);
        insert.setLong(2, gaps);
        insert.executeUpdate();
      }
    }
  }

  /** Reads the hashes into the index. */
  static void read(Connection connection, EndpointStateIndex index) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT endpoint, hash FROM log_head")) {
      while (row.next()) {
        index.hash(row.getLong(1), row.getBytes(2));
      }
    }
  }

  /** Collects the hash of an endpoint's newest batch. */
  void head(Identity identity, byte[] hash) throws SQLException {
    head.setLong(1, identity.number());
    head.setBytes(2, hash);
    head.addBatch();
  }

  /** Collects an endpoint that is forgotten. */
  void forget(Identity identity) throws SQLException {
    forget.setLong(1, identity.number());
    forget.addBatch();
  }

  /** Writes what was collected. */
  void write() throws SQLException {
    forget.executeBatch();
    head.executeBatch();
  }
}
