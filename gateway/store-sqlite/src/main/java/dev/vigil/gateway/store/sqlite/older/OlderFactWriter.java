package dev.vigil.gateway.store.sqlite.older;

import dev.vigil.gateway.store.sqlite.memory.RowKey;
import dev.vigil.gateway.store.sqlite.rows.FactRow;
import dev.vigil.gateway.store.sqlite.rows.GroupRow;
import dev.vigil.gateway.store.sqlite.rows.OlderSlotRow;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes groups of superseded facts, within the transaction that deletes their rows. Only the
 * store's thread uses it.
 */
public final class OlderFactWriter implements AutoCloseable {
  /** The maximum number of facts in a group. */
  private static final int MAX_FACTS = 64;

  /** The maximum octets, before compression, of a group with more than one fact. */
  private static final int MAX_OCTETS = 1 << 16;

  /** The maximum time between the arrivals of a group's facts, which are removed together. */
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

  private static final String CHECK = "UPDATE older_slot SET crc = ? WHERE number = ?";

  private static final String INSERT =
      """
      INSERT INTO older_facts (slot, last_sequence, last_at, facts, content, crc)
      VALUES (?, ?, ?, ?, ?, ?)
      """;

  private static final String GROW =
      "UPDATE older_slot SET octets = octets + ?, shares = shares + ? WHERE number = ?";

  private static final String DROP =
      "UPDATE older_slot SET endpoint = NULL, crc = ? WHERE number = ?";

  private final PreparedStatement rows;
  private final PreparedStatement find;
  private final PreparedStatement create;
  private final PreparedStatement check;
  private final PreparedStatement insert;
  private final PreparedStatement grow;
  private final PreparedStatement drop;
  private final FactGroup.Encoder encoder = new FactGroup.Encoder();

  public OlderFactWriter(Connection connection) throws SQLException {
    rows =
        connection.prepareStatement(
            """
            SELECT %s FROM json_each(?) AS kept CROSS JOIN fact
              ON position = kept.value >> %d AND ord = kept.value & %d
            WHERE sequence > 0 AND length(body) > 0
            """
                .formatted(FactRow.COLUMNS, RowKey.ORD_BITS, RowKey.ORD_MASK));
    find = connection.prepareStatement(FIND);
    create = connection.prepareStatement(CREATE);
    check = connection.prepareStatement(CHECK);
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
      OlderFact next = next(row);
      for (LeavingRows slot : leaving) {
        List<OlderFact> facts = new ArrayList<>(slot.keys().length);
        for (long key : slot.keys()) {
          if (next != null && next.key() == key) {
            facts.add(next);
            next = next(row);
          }
        }
        add(slot, facts);
      }
    }
    insert.executeBatch();
    grow.executeBatch();
  }

  private static @Nullable OlderFact next(ResultSet row) throws SQLException {
    return row.next() ? OlderFact.of(FactRow.read(row)) : null;
  }

  private void add(LeavingRows leaving, List<OlderFact> facts) throws SQLException {
    if (facts.isEmpty()) {
      return;
    }
    long slot = slot(leaving.endpoint(), leaving.slot());
    int first = 0;
    long plain = 0;
    for (int i = 0; i < facts.size(); i++) {
      OlderFact fact = facts.get(i);
      plain += fact.body().length;
      if (i > first
          && (i - first == MAX_FACTS
              || plain > MAX_OCTETS
              || fact.at() - facts.get(first).at() > MAX_SPAN)) {
        insert(slot, facts.subList(first, i));
        first = i;
        plain = fact.body().length;
      }
    }
    insert(slot, facts.subList(first, facts.size()));
  }

  private long slot(long endpoint, String slot) throws SQLException {
    long found = find(endpoint, slot);
    return found > 0 ? found : create(endpoint, slot);
  }

  /** The number of a slot; 0 if it has no row. */
  private long find(long endpoint, String slot) throws SQLException {
    find.setLong(1, endpoint);
    find.setString(2, slot);
    try (ResultSet row = find.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private long create(long endpoint, String slot) throws SQLException {
    create.setLong(1, endpoint);
    create.setString(2, slot);
    long number;
    try (ResultSet row = create.executeQuery()) {
      number = row.getLong(1);
    }
    check.setLong(1, checksum(number, endpoint, slot));
    check.setLong(2, number);
    check.executeUpdate();
    return number;
  }

  private static long checksum(long number, long endpoint, String slot) {
    return new OlderSlotRow(number, endpoint, slot.getBytes(StandardCharsets.UTF_8)).checksum();
  }

  /** Writes a group, as two where one would leave much of a page empty. */
  private void insert(long slot, List<OlderFact> group) throws SQLException {
    byte[] content = encoder.encode(group);
    int size = content.length;
    if (group.size() == 1 || size <= HALF_PAGE || size >= MOST_OF_PAGE) {
      insert(slot, group, content);
      return;
    }
    int first = Math.clamp(group.size() * HALF_PAGE / size, 1, group.size() - 1);
    List<OlderFact> start = group.subList(0, first);
    List<OlderFact> rest = group.subList(first, group.size());
    insert(slot, start, encoder.encode(start));
    insert(slot, rest, encoder.encode(rest));
  }

  private void insert(long slot, List<OlderFact> group, byte[] content) throws SQLException {
    GroupRow row =
        new GroupRow(
            slot,
            group.getLast().sequence(),
            group.stream().mapToLong(OlderFact::at).max().orElseThrow(),
            group.size(),
            content);
    insert.setLong(1, row.slot());
    insert.setLong(2, row.lastSequence());
    insert.setLong(3, row.lastAt());
    insert.setInt(4, row.facts());
    insert.setBytes(5, row.content());
    insert.setLong(6, row.checksum());
    insert.addBatch();
    grow.setLong(1, octets(content.length));
    grow.setLong(2, GroupRow.share(row.lastSequence(), row.lastAt()));
    grow.setLong(3, slot);
    grow.addBatch();
  }

  /** Takes the older facts from a slot that no longer keeps them; they are deleted later. */
  public void drop(long endpoint, String slot) throws SQLException {
    long number = find(endpoint, slot);
    drop.setLong(1, checksum(number, 0, slot));
    drop.setLong(2, number);
    drop.executeUpdate();
  }

  @Override
  public void close() {
    encoder.close();
  }
}
