package dev.vigil.gateway.store.sqlite.older;

import dev.vigil.gateway.store.sqlite.rows.GroupRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads the older facts of one slot. Only one thread uses it at a time. */
public final class OlderFactReader {
  private static final String OF_SLOT =
      "slot = (SELECT number FROM older_slot WHERE endpoint = ? AND slot = ?) AND ";

  private static final String SELECT =
      "SELECT %s FROM older_facts WHERE ".formatted(GroupRow.COLUMNS);

  private static final String FORWARD =
      SELECT + OF_SLOT + "last_sequence > ? ORDER BY last_sequence";

  private static final String BACK =
      SELECT + OF_SLOT + "last_sequence < ? ORDER BY last_sequence DESC";

  /** The last sequence number before the first group that reaches a time. */
  private static final String LAST_BEFORE =
      """
      SELECT max(last_sequence) FROM older_facts
      WHERE slot = ?1 AND last_sequence < coalesce(
        (SELECT last_sequence FROM older_facts WHERE slot = ?1 AND last_at >= ?2
         ORDER BY last_sequence LIMIT 1), 9223372036854775807)
      """;

  private static final String SLOT =
      "SELECT number FROM older_slot WHERE endpoint = ? AND slot = ?";

  private final PreparedStatement forward;
  private final PreparedStatement back;
  private final PreparedStatement slot;
  private final PreparedStatement lastBefore;

  public OlderFactReader(Connection connection) throws SQLException {
    forward = connection.prepareStatement(FORWARD);
    back = connection.prepareStatement(BACK);
    slot = connection.prepareStatement(SLOT);
    lastBefore = connection.prepareStatement(LAST_BEFORE);
  }

  /** The facts after a sequence number, oldest first. */
  public List<OlderFact> after(long endpoint, String slotName, long sequence, int limit)
      throws SQLException {
    List<OlderFact> found = new ArrayList<>();
    try (ResultSet row = query(forward, endpoint, slotName, sequence)) {
      while (found.size() < limit && row.next()) {
        for (OlderFact fact : FactGroup.decode(GroupRow.read(row).content())) {
          if (fact.sequence() > sequence && found.size() < limit) {
            found.add(fact);
          }
        }
      }
    }
    return found;
  }

  /** The facts before a sequence number, newest first. */
  public List<OlderFact> before(long endpoint, String slotName, long sequence, int limit)
      throws SQLException {
    List<OlderFact> found = new ArrayList<>();
    // The first group that reaches the number may begin before it.
    try (ResultSet row = query(forward, endpoint, slotName, sequence - 1)) {
      if (row.next()) {
        addBack(found, FactGroup.decode(GroupRow.read(row).content()), sequence, limit);
      }
    }
    try (ResultSet row = query(back, endpoint, slotName, sequence)) {
      while (found.size() < limit && row.next()) {
        addBack(found, FactGroup.decode(GroupRow.read(row).content()), sequence, limit);
      }
    }
    return found;
  }

  private static void addBack(
      List<OlderFact> found, List<OlderFact> group, long sequence, int limit) {
    for (OlderFact fact : group.reversed()) {
      if (fact.sequence() < sequence && found.size() < limit) {
        found.add(fact);
      }
    }
  }

  /** A sequence number up to which every fact arrived before a time in microseconds; or 0. */
  public long lastBefore(long endpoint, String slotName, long at) throws SQLException {
    slot.setLong(1, endpoint);
    slot.setString(2, slotName);
    long number;
    try (ResultSet row = slot.executeQuery()) {
      if (!row.next()) {
        return 0;
      }
      number = row.getLong(1);
    }
    lastBefore.setLong(1, number);
    lastBefore.setLong(2, at);
    try (ResultSet row = lastBefore.executeQuery()) {
      return row.getLong(1);
    }
  }

  private static ResultSet query(
      PreparedStatement select, long endpoint, String slotName, long sequence) throws SQLException {
    select.setLong(1, endpoint);
    select.setString(2, slotName);
    select.setLong(3, sequence);
    return select.executeQuery();
  }
}
