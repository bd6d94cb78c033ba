package dev.vigil.gateway.store;

import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One reading connection; one thread at a time. */
final class Reader implements AutoCloseable {
  /** The columns that {@link #read} wants. */
  private static final String ROWS =
      "SELECT position << %d | ord, endpoint, at, high, version, slot, keep, body FROM fact "
          .formatted(Standings.Key.ORD_BITS);

  private static final String FEED = ROWS + "WHERE position > ? ORDER BY position, ord";

  private static final String FEED_OF_SLOT =
      ROWS + "WHERE position > ? AND slot = ? ORDER BY position, ord";

  /** Facts that are kept for ever have indexes of their own, hence the literal. */
  private static final String TRAIL =
      ROWS
          + """
      WHERE keep = 2147483647 AND slot = ? AND position %s ?%s
      ORDER BY position %s, ord
      """;

  private static final String OF_ONE =
      " AND fact.endpoint = (SELECT number FROM endpoint WHERE d = ? AND ep = ?)";

  /** By the keys of rows as a JSON array; each is found by the table's own key. */
  private static final String HISTORY =
      """
      SELECT position, sequence, at, body
      FROM json_each(?) AS kept CROSS JOIN fact
        ON position = kept.value >> %d AND ord = kept.value & %d
      WHERE sequence > ? AND length(body) > 0
      ORDER BY position, ord LIMIT ?
      """
          .formatted(Standings.Key.ORD_BITS, Standings.MAX_FACTS - 1);

  private static final long NO_ROW = -1;

  private final Connection connection;
  private final Standings standings;
  private final Texts slots = new Texts();
  private final PreparedStatement feed;
  private final PreparedStatement feedOfSlot;
  private final PreparedStatement newest;
  private final PreparedStatement trail;
  private final PreparedStatement trailOfOne;
  private final PreparedStatement trailBack;
  private final PreparedStatement trailBackOfOne;
  private final PreparedStatement history;

  Reader(Connection connection, Standings standings) throws SQLException {
    this.connection = connection;
    this.standings = standings;
    feed = connection.prepareStatement(FEED);
    feedOfSlot = connection.prepareStatement(FEED_OF_SLOT);
    newest = connection.prepareStatement("SELECT max(position) FROM fact");
    trail = connection.prepareStatement(TRAIL.formatted(">", "", ""));
    trailOfOne = connection.prepareStatement(TRAIL.formatted(">", OF_ONE, ""));
    trailBack = connection.prepareStatement(TRAIL.formatted("<", "", "DESC"));
    trailBackOfOne = connection.prepareStatement(TRAIL.formatted("<", OF_ONE, "DESC"));
    history = connection.prepareStatement(HISTORY);
  }

  /**
   * Every kept change after a position, in order, from one snapshot.
   *
   * @param superseded rows that are passed over, in ascending order
   * @return the position up to which nothing is left to read
   */
  long changes(long after, long[] superseded, Consumer<Change> follower) throws SQLException {
    feed.setLong(1, after);
    return Math.max(after, read(feed, superseded, follower, Integer.MAX_VALUE));
  }

  /** The same of one slot, with its facts alone. */
  long changes(String slot, long after, long[] superseded, Consumer<Change> follower)
      throws SQLException {
    // Asked first: what is read then holds all of it, and perhaps more.
    long top = newest();
    feedOfSlot.setLong(1, after);
    feedOfSlot.setString(2, slot);
    long last = read(feedOfSlot, superseded, follower, Integer.MAX_VALUE);
    return Math.max(Math.max(after, top), last);
  }

  private long newest() throws SQLException {
    try (ResultSet row = newest.executeQuery()) {
      return row.getLong(1);
    }
  }

  /** What a slot keeps for ever, of one endpoint or of all. */
  List<Change> trail(String slot, @Nullable EndpointName name, long after, int limit)
      throws SQLException {
    return trail(name == null ? trail : trailOfOne, slot, name, after, limit);
  }

  /** The same, newest first. */
  List<Change> trailBack(String slot, @Nullable EndpointName name, long before, int limit)
      throws SQLException {
    return trail(name == null ? trailBack : trailBackOfOne, slot, name, before, limit);
  }

  private List<Change> trail(
      PreparedStatement select, String slot, @Nullable EndpointName name, long from, int limit)
      throws SQLException {
    select.setString(1, slot);
    select.setLong(2, from);
    if (name != null) {
      select.setString(3, name.d());
      select.setString(4, name.ep());
    }
    List<Change> changes = new ArrayList<>();
    read(select, new long[0], changes::add, limit);
    return changes;
  }

  /**
   * @return the position of the last change, 0 when there is none
   */
  private long read(
      PreparedStatement select, long[] superseded, Consumer<Change> follower, int limit)
      throws SQLException {
    long position = 0;
    try (ResultSet row = select.executeQuery()) {
      long key = next(row, superseded);
      for (int i = 0; key != NO_ROW && i < limit; i++) {
        position = Standings.Key.position(key);
        Standings.Named named = standings.named(row.getInt(2));
        long at = row.getLong(3);
        long high = row.getLong(4);
        long version = row.getLong(5);
        List<Fact> facts = new ArrayList<>(1);
        do {
          String slot = slots.of(row.getBytes(6));
          if (!slot.equals(Slots.NO_SLOT)) {
            facts.add(new Fact(slot, row.getInt(7), row.getBytes(8)));
          }
          key = next(row, superseded);
        } while (Standings.Key.position(key) == position);
        follower.accept(
            new Change(
                position, named.id(), named.name(), Micros.toInstant(at), high, version, facts));
      }
    }
    return position;
  }

  /** The key of the next row that is not superseded, or {@link #NO_ROW}. */
  private static long next(ResultSet row, long[] superseded) throws SQLException {
    while (row.next()) {
      long key = row.getLong(1);
      if (superseded.length == 0 || Arrays.binarySearch(superseded, key) < 0) {
        return key;
      }
    }
    return NO_ROW;
  }

  /**
   * @param kept the rows of the slot, oldest first. They are asked for first, so that all are in
   *     the file that is then read; one that goes in between is as good as gone before
   */
  List<Store.Kept> history(Supplier<long[]> kept, long afterSequence, int limit)
      throws SQLException {
    history.setString(1, Arrays.toString(kept.get()));
    history.setLong(2, afterSequence);
    history.setInt(3, limit);
    List<Store.Kept> found = new ArrayList<>();
    try (ResultSet row = history.executeQuery()) {
      while (row.next()) {
        found.add(
            new Store.Kept(
                row.getLong(1), row.getLong(2), Micros.toInstant(row.getLong(3)), row.getBytes(4)));
      }
    }
    return found;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
