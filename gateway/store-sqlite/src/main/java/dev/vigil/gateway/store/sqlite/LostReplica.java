package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.memory.RowKey;
import dev.vigil.gateway.store.sqlite.older.OlderFact;
import dev.vigil.gateway.store.sqlite.older.OlderFactReader;
import dev.vigil.gateway.store.sqlite.rows.CheckedTables;
import dev.vigil.gateway.store.sqlite.rows.EndpointRow;
import dev.vigil.gateway.store.sqlite.rows.FactRow;
import dev.vigil.gateway.store.sqlite.rows.KeptChange;
import dev.vigil.gateway.store.sqlite.rows.Microseconds;
import dev.vigil.store.EndpointName;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A replica that was set aside because its log no longer continues it. Only one thread uses it at a
 * time.
 */
public final class LostReplica implements AutoCloseable {
  private static final String ENDPOINTS =
      """
      SELECT %s,
        (SELECT max(position) FROM fact WHERE endpoint = number), coalesce(hash, x''),
        (SELECT max(high) FROM fact WHERE endpoint = number)
      FROM endpoint LEFT JOIN log_head ON log_head.endpoint = number
      ORDER BY number
      """
          .formatted(EndpointRow.COLUMNS);

  /** No other code uses the file, so it may have an index that the replica does not need. */
  private static final String INDEX =
      "CREATE INDEX IF NOT EXISTS fact_of_endpoint ON fact (endpoint, position)";

  private final SqliteDatabase database;
  private final Connection connection;
  private final int damaged;
  private final PreparedStatement changes;
  private final PreparedStatement olderSlots;
  private final OlderFactReader older;

  /**
   * An endpoint when the replica was set aside.
   *
   * @param position of its newest change
   * @param hash of that change's batch in the log
   * @param high the highest sequence number; 0 if it never had one
   */
  public record LostEndpoint(
      long number, String id, EndpointName name, long position, byte[] hash, long high) {}

  private LostReplica(SqliteDatabase database, Connection connection) throws SQLException {
    this.database = database;
    this.connection = connection;
    try (Statement statement = connection.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      damaged = CheckedTables.separateDamaged(connection);
      statement.execute(INDEX);
      statement.execute("COMMIT");
    }
    changes =
        connection.prepareStatement(
            "SELECT %s FROM fact WHERE endpoint = ? ORDER BY position, ord"
                .formatted(FactRow.COLUMNS));
    olderSlots = connection.prepareStatement("SELECT slot FROM older_slot WHERE endpoint = ?");
    older = new OlderFactReader(connection);
  }

  /**
   * @throws dev.vigil.store.StoreException when the file cannot be read
   */
  public static LostReplica open(Path file) {
    SqliteDatabase database = new SqliteDatabase(file);
    try {
      // It may have an older format.
      database.migrate();
      Connection connection = database.openForWriting();
      try {
        return new LostReplica(database, connection);
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  /** The number of damaged rows; no other method returns these rows. */
  public int damaged() {
    return damaged;
  }

  /** The id of the log that filled it. */
  public String log() {
    try {
      return String.valueOf(ReplicaTables.log(connection));
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  /** All endpoints; the gateway's own records, which include revocations, come first. */
  public List<LostEndpoint> endpoints() {
    List<LostEndpoint> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(ENDPOINTS)) {
      while (row.next()) {
        EndpointRow endpoint = EndpointRow.read(row);
        found.add(
            new LostEndpoint(
                endpoint.number(),
                endpoint.id(),
                endpoint.name(),
                row.getLong(6),
                row.getBytes(7),
                row.getLong(8)));
      }
    } catch (SQLException e) {
      throw database.explain(e);
    }
    found.sort(Comparator.comparing(endpoint -> !endpoint.name().isReserved()));
    return found;
  }

  /** All that the replica still had of an endpoint, oldest first. */
  public List<KeptChange> changes(LostEndpoint endpoint) {
    try {
      changes.setLong(1, endpoint.number());
      List<KeptChange> found;
      try (ResultSet row = changes.executeQuery()) {
        found = KeptChange.read(row);
      }
      found.addAll(olderChanges(endpoint.number()));
      found.sort(Comparator.comparingLong(KeptChange::position));
      return found;
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  private List<KeptChange> olderChanges(long endpoint) throws SQLException {
    List<KeptChange> found = new ArrayList<>();
    olderSlots.setLong(1, endpoint);
    try (ResultSet row = olderSlots.executeQuery()) {
      while (row.next()) {
        String slot = row.getString(1);
        for (OlderFact fact : older.after(endpoint, slot, 0, Integer.MAX_VALUE)) {
          found.add(
              KeptChange.older(
                  RowKey.position(fact.key()),
                  Microseconds.toInstant(fact.at()),
                  fact.sequence(),
                  slot,
                  fact.body()));
        }
      }
    }
    return found;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }
}
