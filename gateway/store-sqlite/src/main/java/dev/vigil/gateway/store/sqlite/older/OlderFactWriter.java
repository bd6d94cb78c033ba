package dev.vigil.gateway.store.sqlite.older;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  /** Two groups with this content fit into a page of the file. */
  private static final int HALF_PAGE = 2000;

  /** One group with this content fills a page. */
  private static final int MOST_OF_PAGE = 3400;

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

  /**
   * @param ordBits number of bits of a row's key that hold its place in its change
   */
  public OlderFactWriter(Connection connection, int ordBits) throws SQLException {
    rows =
        connection.prepareStatement(
            """
            SELECT kept.value, sequence, at, body
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
   */
  public void add(List<LeavingRows> leaving) throws SQLException {
    if (leaving.isEmpty()) {
      return;
    }
    long[] keys = leaving.stream().flatMapToLong(slot -> Arrays.stream(slot.keys())).toArray();
    rows.setString(1, Arrays.toString(keys));
    try (ResultSet row = rows.executeQuery()) {
      boolean more = row.next();
      for (LeavingRows slot : leaving) {
        List<OlderFact> facts = new ArrayList<>(slot.keys().length);
        for (long key : slot.keys()) {
          if (more && row.getLong(1) == key) {
            facts.add(new OlderFact(key, row.getLong(2), row.getLong(3), row.getBytes(4)));
            more = row.next();
          }
        }
        add(slot, facts);
      }
    }
    insert.executeBatch();
    grow.executeBatch();
  }

  private void add(LeavingRows leaving, List<OlderFact> facts) throws SQLException {
    if (facts.isEmpty()) {
      return;
    }
    long slot = slot(leaving.endpoint(), leaving.slot());
    long octets = 0;
    int first = 0;
    long plain = 0;
    for (int i = 0; i < facts.size(); i++) {
      OlderFact fact = facts.get(i);
      plain += fact.body().length;
      if (i > first
          && (i - first == MAX_FACTS
              || plain > MAX_OCTETS
              || fact.at() - facts.get(first).at() > MAX_SPAN)) {
        octets += insert(slot, facts.subList(first, i));
        first = i;
        plain = fact.body().length;
      }
    }
    octets += insert(slot, facts.subList(first, facts.size()));
    grow.setLong(1, octets);
    grow.setLong(2, slot);
    grow.addBatch();
  }

  private long slot(long endpoint, String slot) throws SQLException {
    find.setLong(1, endpoint);
    find.setString(2, slot);
    try (ResultSet row = find.executeQuery()) {
      if (row.next()) {
        return row.getLong(1);
      }
    }
    create.setLong(1, endpoint);
    create.setString(2, slot);
    try (ResultSet row = create.executeQuery()) {
      return row.getLong(1);
    }
  }

  /** Writes a group, as two where one would leave much of a page empty. */
  private long insert(long slot, List<OlderFact> group) throws SQLException {
    byte[] content = encoder.encode(group);
    int size = content.length;
    if (group.size() == 1 || size <= HALF_PAGE || size >= MOST_OF_PAGE) {
      return insert(slot, group, content);
    }
    int first = Math.clamp(group.size() * HALF_PAGE / size, 1, group.size() - 1);
    List<OlderFact> start = group.subList(0, first);
    List<OlderFact> rest = group.subList(first, group.size());
    return insert(slot, start, encoder.encode(start)) + insert(slot, rest, encoder.encode(rest));
  }

  private long insert(long slot, List<OlderFact> group, byte[] content) throws SQLException {
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
