package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.EndpointStateIndex.Identity;
import dev.vigil.gateway.store.sqlite.EndpointStateIndex.State;
import dev.vigil.gateway.store.sqlite.memory.RowKey;
import dev.vigil.gateway.store.sqlite.rows.Microseconds;
import dev.vigil.gateway.store.sqlite.rows.SlotRetention;
import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The rows of endpoints and facts that a transaction inserts and deletes. Rows are collected and go
 * into one call, because the driver's cost per statement exceeds SQLite's cost per row.
 */
final class RowWriter {
  private static final String CREATE =
      "INSERT INTO endpoint (number, id, d, ep) VALUES (?, ?, ?, ?)";

  private static final String APPEND =
      """
      INSERT INTO fact (position, ord, endpoint, slot, keep, sequence, high, version, at, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String DELETE = "DELETE FROM fact WHERE position = ? AND ord = ?";
  private static final String FORGET = "DELETE FROM endpoint WHERE number = ?";
  private static final byte[] NO_BODY = {};

  private final PreparedStatement create;
  private final PreparedStatement append;
  private final PreparedStatement delete;
  private final PreparedStatement forget;

  RowWriter(Connection connection) throws SQLException {
    create = connection.prepareStatement(CREATE);
    append = connection.prepareStatement(APPEND);
    delete = connection.prepareStatement(DELETE);
    forget = connection.prepareStatement(FORGET);
  }

  void create(Identity identity) throws SQLException {
    create.setLong(1, identity.number());
    create.setString(2, identity.id());
    create.setString(3, identity.name().d());
    create.setString(4, identity.name().ep());
    create.addBatch();
  }

  /**
   * @param after the endpoint's state after the change
   * @param sequence the sequence number of its batch; 0 if it had none
   */
  void append(State after, long sequence, Change change) throws SQLException {
    List<Fact> facts = change.facts();
    append.setLong(1, change.position());
    append.setLong(3, after.identity().number());
    append.setLong(6, sequence);
    append.setLong(7, change.high());
    append.setLong(8, change.version());
    append.setLong(9, Microseconds.of(change.at()));
    if (facts.isEmpty()) {
      append(0, SlotRetention.NO_SLOT, 1, NO_BODY);
    }
    for (int ord = 0; ord < facts.size(); ord++) {
      Fact fact = facts.get(ord);
      append(ord, fact.slot(), SlotRetention.column(fact), fact.body());
    }
  }

  private void append(int ord, String slot, int keep, byte[] body) throws SQLException {
    append.setInt(2, ord);
    append.setString(4, slot);
    append.setInt(5, keep);
    append.setBytes(10, body);
    append.addBatch();
  }

  /** Inserts what was collected. */
  void insert() throws SQLException {
    create.executeBatch();
    append.executeBatch();
  }

  void delete(long key) throws SQLException {
    delete.setLong(1, RowKey.position(key));
    delete.setInt(2, RowKey.ord(key));
    delete.addBatch();
  }

  void forget(Identity identity) throws SQLException {
    forget.setLong(1, identity.number());
    forget.addBatch();
  }

  /** Deletes what was collected. */
  void delete() throws SQLException {
    delete.executeBatch();
    forget.executeBatch();
  }
}
