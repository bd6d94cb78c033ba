package dev.vigil.gateway.store.sqlite.older;

import dev.vigil.gateway.store.sqlite.rows.GroupRow;
import dev.vigil.store.EndpointName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Deletes groups of older facts, a bounded number in one transaction of the store's thread. */
final class OlderFactRemoval {
  /** The number of groups that one transaction deletes. */
  private static final int MAX_GROUPS = 512;

  /** The number of slots that one transaction examines. */
  private static final int MAX_SLOTS = 256;

  /** The greediest endpoint loses about one part in this number of its octets at a time. */
  private static final int PARTS = 4;

  /** Groups whose ages differ by less count as equally old. */
  private static final long ALIKE = TimeUnit.HOURS.toMicros(1);

  private static final String NEXT =
      """
      SELECT older_slot.number, ep, d
      FROM older_slot LEFT JOIN endpoint ON endpoint.number = older_slot.endpoint
      WHERE older_slot.number > ? ORDER BY older_slot.number LIMIT %d
      """
          .formatted(MAX_SLOTS);

  private static final String GREEDIEST =
      "SELECT endpoint, sum(octets) FROM older_slot GROUP BY endpoint ORDER BY sum(octets) DESC LIMIT 1";

  /** The slot of an endpoint whose oldest group is the oldest. */
  private static final String OLDEST_SLOT =
      """
      SELECT number, (SELECT last_at FROM older_facts WHERE older_facts.slot = older_slot.number
        ORDER BY last_sequence LIMIT 1) AS oldest
      FROM older_slot WHERE endpoint IS ? AND octets > 0 ORDER BY oldest LIMIT 2
      """;

  private static final String OLDEST_GROUPS =
      """
      SELECT number, last_at, facts, length(content), last_sequence FROM older_facts WHERE slot = ?
      ORDER BY last_sequence LIMIT ?
      """;

  private final Connection connection;
  private long facts;
  private int left = MAX_GROUPS;
  private long octetsLeft = Long.MAX_VALUE;

  /**
   * @param name null when the slot no longer keeps older facts
   */
  private record Slot(long number, @Nullable EndpointName name) {}

  private record Group(long number, long share, int facts, long octets) {}

  OlderFactRemoval(Connection connection) {
    this.connection = connection;
  }

  /** The number of facts that this object has removed. */
  long facts() {
    return facts;
  }

  /**
   * @param after number of the slot that was examined last
   * @return the number of the last slot that this call completed; 0 after the last slot
   */
  long expire(long after, Function<EndpointName, Instant> oldest) throws SQLException {
    List<Slot> slots = next(after);
    long last = after;
    for (Slot slot : slots) {
      EndpointName name = slot.name();
      delete(slot.number(), name == null ? Long.MAX_VALUE : micros(oldest.apply(name)));
      if (left <= 0) {
        return last;
      }
      if (name == null) {
        forget(slot.number());
      }
      last = slot.number();
    }
    return slots.size() < MAX_SLOTS ? 0 : last;
  }

  private static long micros(Instant time) {
    return time.equals(Instant.MAX)
        ? Long.MAX_VALUE
        : time.equals(Instant.MIN)
            ? Long.MIN_VALUE
            : ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  private List<Slot> next(long after) throws SQLException {
    List<Slot> found = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(NEXT)) {
      select.setLong(1, after);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          String ep = row.getString(2);
          found.add(
              new Slot(row.getLong(1), ep == null ? null : new EndpointName(ep, row.getString(3))));
        }
      }
    }
    return found;
  }

  /**
   * Deletes the oldest groups of the endpoint whose groups take the most octets.
   *
   * @return whether there were any
   */
  boolean shrink() throws SQLException {
    try (PreparedStatement greediest = connection.prepareStatement(GREEDIEST);
        ResultSet row = greediest.executeQuery()) {
      if (!row.next()) {
        return false;
      }
      long endpoint = row.getLong(1);
      boolean dropped = row.wasNull();
      octetsLeft = row.getLong(2) / PARTS;
      return shrink(dropped ? null : endpoint);
    }
  }

  /** Takes the slot with the oldest group, up to a little after the oldest group of the others. */
  private boolean shrink(@Nullable Long endpoint) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(OLDEST_SLOT)) {
      select.setObject(1, endpoint);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          return false;
        }
        long slot = row.getLong(1);
        delete(slot, row.next() ? row.getLong(2) + ALIKE : Long.MAX_VALUE);
        return true;
      }
    }
  }

  /** Deletes the oldest groups of a slot that end before a time. */
  private void delete(long slot, long before) throws SQLException {
    List<Group> groups = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(OLDEST_GROUPS)) {
      select.setLong(1, slot);
      select.setInt(2, left);
      try (ResultSet row = select.executeQuery()) {
        while (row.next() && row.getLong(2) < before && octetsLeft >= 0) {
          octetsLeft -= OlderFactWriter.octets(row.getInt(4));
          groups.add(
              new Group(
                  row.getLong(1),
                  GroupRow.share(row.getLong(5), row.getLong(2)),
                  row.getInt(3),
                  OlderFactWriter.octets(row.getInt(4))));
        }
      }
    }
    if (groups.isEmpty()) {
      return;
    }
    try (PreparedStatement delete =
            connection.prepareStatement("DELETE FROM older_facts WHERE number = ?");
        PreparedStatement lessen =
            connection.prepareStatement(
                "UPDATE older_slot SET octets = octets - ?, shares = shares - ? WHERE number = ?")) {
      for (Group group : groups) {
        delete.setLong(1, group.number());
        delete.addBatch();
        facts += group.facts();
        left--;
      }
      delete.executeBatch();
      lessen.setLong(1, groups.stream().mapToLong(Group::octets).sum());
      lessen.setLong(2, groups.stream().mapToLong(Group::share).sum());
      lessen.setLong(3, slot);
      lessen.executeUpdate();
    }
  }

  private void forget(long slot) throws SQLException {
    try (PreparedStatement forget =
        connection.prepareStatement("DELETE FROM older_slot WHERE number = ?")) {
      forget.setLong(1, slot);
      forget.executeUpdate();
    }
  }
}
