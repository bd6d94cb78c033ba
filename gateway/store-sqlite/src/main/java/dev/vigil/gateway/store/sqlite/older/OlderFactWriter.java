package dev.vigil.gateway.store.sqlite.older;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Writes groups of superseded facts, within the transaction that deletes their rows. Only the
 * store's thread uses it.
 */
public final class OlderFactWriter implements AutoCloseable {
  /** The number of facts in a group. */
  private static final int MAX_FACTS = 64;

  /** The octets of a group before its compression, if it has more than one fact. */
  private static final int MAX_OCTETS = 1 << 16;

  /** The time between the arrivals of a group's facts, which are removed together. */
  private static final long MAX_SPAN = TimeUnit.HOURS.toMicros(12);

  /** The octets that a group takes in addition to its content. */
  private static final int ROW_OCTETS = 40;

  private static final String FIND =
      "SELECT number FROM older_slot WHERE endpoint = ? AND slot = ?";

  private static final String CREATE =
      "INSERT INTO older_slot (endpoint, slot) VALUES (?, ?) RETURNING number";

  private static final String INSERT =
      "INSERT INTO older_facts (slot, last_sequence, last_at, facts, content) VALUES (?, ?, ?, ?, ?)";

  private static final String GROW = "UPDATE older_slot SET octets = octets + ? WHERE number = ?";

  private static final String DROP =
      "UPDATE older_slot SET endpoint = NULL WHERE endpoint = ? AND slot = ?";

  private final PreparedStatement rows;
  private final PreparedStatement find;
  private final PreparedStatement create;
  private final PreparedStatement insert;
  private final PreparedStatement grow;
  private final PreparedStatement drop;
  private final FactGroup.Encoder encoder = new FactGroup.Encoder();

  private record SlotOfEndpoint(long endpoint, String slot) {}

  /**
   * @param ordBits number of bits of a row's key that hold its place in its change
   */
  public OlderFactWriter(Connection connection, int ordBits) throws SQLException {
    rows =
        connection.prepareStatement(
            """
            SELECT kept.value, endpoint, slot, sequence, at, body
            FROM json_each(?) AS kept CROSS JOIN fact
              ON position = kept.value >> %d AND ord = kept.value & %d
            WHERE sequence > 0 AND length(body) > 0
            """
                .formatted(ordBits, (1 << ordBits) - 1));
    find = connection.prepareStatement(FIND);
    create = connection.prepareStatement(CREATE);
    insert = connection.prepareStatement(INSERT);
    grow = connection.prepareStatement(GROW);
    drop = connection.prepareStatement(DROP);
  }

  static long octets(int content) {
    return ROW_OCTETS + content;
  }

  /**
   * Writes rows of {@code fact} into groups. The caller deletes the rows in the same transaction.
   *
   * @param keys of the rows, ascending
   */
  public void add(long[] keys) throws SQLException {
    if (keys.length == 0) {
      return;
    }
    for (Map.Entry<SlotOfEndpoint, List<OlderFact>> one : read(keys).entrySet()) {
      long slot = slot(one.getKey());
      long octets = 0;
      List<OlderFact> group = new ArrayList<>();
      long plain = 0;
      for (OlderFact fact : one.getValue()) {
        plain += fact.body().length;
        if (!group.isEmpty()
            && (group.size() == MAX_FACTS || plain > MAX_OCTETS || isLong(group, fact))) {
          octets += insert(slot, group);
          group = new ArrayList<>();
          plain = fact.body().length;
        }
        group.add(fact);
      }
      octets += insert(slot, group);
      grow.setLong(1, octets);
      grow.setLong(2, slot);
      grow.addBatch();
    }
    insert.executeBatch();
    grow.executeBatch();
  }

  private static boolean isLong(List<OlderFact> group, OlderFact next) {
    return next.at() - group.getFirst().at() > MAX_SPAN;
  }

  private Map<SlotOfEndpoint, List<OlderFact>> read(long[] keys) throws SQLException {
    Map<SlotOfEndpoint, List<OlderFact>> facts = new LinkedHashMap<>();
    rows.setString(1, Arrays.toString(keys));
    try (ResultSet row = rows.executeQuery()) {
      while (row.next()) {
        facts
            .computeIfAbsent(
                new SlotOfEndpoint(row.getLong(2), row.getString(3)), any -> new ArrayList<>())
            .add(new OlderFact(row.getLong(1), row.getLong(4), row.getLong(5), row.getBytes(6)));
      }
    }
    return facts;
  }

  private long slot(SlotOfEndpoint slot) throws SQLException {
    find.setLong(1, slot.endpoint());
    find.setString(2, slot.slot());
    try (ResultSet row = find.executeQuery()) {
      if (row.next()) {
        return row.getLong(1);
      }
    }
    create.setLong(1, slot.endpoint());
    create.setString(2, slot.slot());
    try (ResultSet row = create.executeQuery()) {
      return row.getLong(1);
    }
  }

  private long insert(long slot, List<OlderFact> group) throws SQLException {
    byte[] content = encoder.encode(group);
    insert.setLong(1, slot);
    insert.setLong(2, group.getLast().sequence());
    insert.setLong(3, group.stream().mapToLong(OlderFact::at).max().orElseThrow());
    insert.setInt(4, group.size());
    insert.setBytes(5, content);
    insert.addBatch();
    return octets(content.length);
  }

  /** Takes the older facts from a slot that no longer keeps them; they are deleted later. */
  public void drop(long endpoint, String slot) throws SQLException {
    drop.setLong(1, endpoint);
    drop.setString(2, slot);
    drop.executeUpdate();
  }

  @Override
  public void close() {
    encoder.close();
  }
}
