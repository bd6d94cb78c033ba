package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.EndpointStateIndex.Identity;
import dev.vigil.gateway.store.sqlite.EndpointStateIndex.State;
import dev.vigil.gateway.store.sqlite.memory.RowKey;
import dev.vigil.gateway.store.sqlite.rows.FactRow;
import dev.vigil.gateway.store.sqlite.rows.Microseconds;
import dev.vigil.gateway.store.sqlite.rows.SlotRetention;
import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import java.nio.charset.StandardCharsets;
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
      "INSERT INTO endpoint (number, id, d, ep, crc) VALUES (?, ?, ?, ?, ?)";

  private static final String APPEND =
      """
      INSERT INTO fact (%s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
          .formatted(FactRow.COLUMNS);

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
    create.setLong(5, identity.row().checksum());
    create.addBatch();
  }

  /**
   * @param after the endpoint's state after the change
   * @param sequence the sequence number of its batch; 0 if it had none
   */
  void append(State after, long sequence, Change change) throws SQLException {
    List<Fact> facts = change.facts();
    if (facts.isEmpty()) {
      append(after, sequence, change, 0, SlotRetention.NO_SLOT, 1, NO_BODY);
    }
    for (int ord = 0; ord < facts.size(); ord++) {
      Fact fact = facts.get(ord);
      append(after, sequence, change, ord, fact.slot(), SlotRetention.column(fact), fact.body());
    }
  }

  private void append(
      State after, long sequence, Change change, int ord, String slot, int keep, byte[] body)
      throws SQLException {
    FactRow row =
        new FactRow(
            change.position(),
            ord,
            after.identity().number(),
            slot.getBytes(StandardCharsets.UTF_8),
            keep,
            sequence,
            change.high(),
            change.version(),
            Microseconds.of(change.at()),
            body);
    append.setLong(1, row.position());
    append.setInt(2, row.ord());
    append.setLong(3, row.endpoint());
    append.setString(4, slot);
    append.setInt(5, row.keep());
    append.setLong(6, row.sequence());
    append.setLong(7, row.high());
    append.setLong(8, row.version());
    append.setLong(9, row.at());
    append.setBytes(10, row.body());
    append.setLong(11, row.checksum());
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
