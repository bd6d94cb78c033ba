package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.memory.NewestRows;
import dev.vigil.gateway.store.sqlite.memory.RowKey;
import dev.vigil.gateway.store.sqlite.memory.SlotNameCache;
import dev.vigil.gateway.store.sqlite.older.HistoryReader;
import dev.vigil.gateway.store.sqlite.rows.FactRow;
import dev.vigil.gateway.store.sqlite.rows.KeptChange;
import dev.vigil.gateway.store.sqlite.rows.Microseconds;
import dev.vigil.gateway.store.sqlite.rows.SlotRetention;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
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

/** A connection for reading. Only one thread uses it at a time. */
final class StoreReader implements AutoCloseable {
  private static final String ROWS = "SELECT %s FROM fact ".formatted(FactRow.COLUMNS);

  private static final String FEED = ROWS + "WHERE position > ? ORDER BY position, ord";

  private static final String FEED_OF_SLOT =
      ROWS + "WHERE position > ? AND slot = ? ORDER BY position, ord";

  /** The literal lets SQLite use the partial indexes over the facts that are kept permanently. */
  private static final String TRAIL =
      ROWS
          + """
          WHERE keep = 2147483647 AND slot = ? AND position %s ?%s
          ORDER BY position %s, ord
          """;

  private static final String OF_ENDPOINT =
      " AND fact.endpoint = (SELECT number FROM endpoint WHERE d = ? AND ep = ?)";

  /** The parameter is a JSON array of row keys; each is looked up by the primary key. */
  private static final String FEED_OF_KEYS =
      """
      SELECT %s FROM json_each(?) AS kept CROSS JOIN fact
        ON position = kept.value >> %d AND ord = kept.value & %d
      ORDER BY position, ord
      """
          .formatted(FactRow.COLUMNS, RowKey.ORD_BITS, EndpointStateIndex.MAX_FACTS - 1);

  /** The number of rows that are read together by their keys. */
  private static final int CHUNK = 1024;

  private final Connection connection;
  private final EndpointStateIndex index;
  private final SlotNameCache slots = new SlotNameCache();
  private final PreparedStatement feed;
  private final PreparedStatement feedOfSlot;
  private final PreparedStatement feedOfKeys;
  private final PreparedStatement newest;
  private final PreparedStatement trail;
  private final PreparedStatement trailOfEndpoint;
  private final PreparedStatement trailBack;
  private final PreparedStatement trailBackOfEndpoint;
  private final HistoryReader histories;

  StoreReader(Connection connection, EndpointStateIndex index) throws SQLException {
    this.connection = connection;
    this.index = index;
    feed = connection.prepareStatement(FEED);
    feedOfSlot = connection.prepareStatement(FEED_OF_SLOT);
    feedOfKeys = connection.prepareStatement(FEED_OF_KEYS);
    newest = connection.prepareStatement("SELECT max(position) FROM fact");
    trail = connection.prepareStatement(TRAIL.formatted(">", "", ""));
    trailOfEndpoint = connection.prepareStatement(TRAIL.formatted(">", OF_ENDPOINT, ""));
    trailBack = connection.prepareStatement(TRAIL.formatted("<", "", "DESC"));
    trailBackOfEndpoint = connection.prepareStatement(TRAIL.formatted("<", OF_ENDPOINT, "DESC"));
    histories = new HistoryReader(connection);
  }

  /**
   * Reads every kept change after a position, in order, from one snapshot.
   *
   * @param superseded keys of rows to skip, ascending
   * @return the position of the last change that was read
   */
  long changes(long after, long[] superseded, Consumer<Change> follower) throws SQLException {
    feed.setLong(1, after);
    return Math.max(after, read(feed, superseded, follower, Integer.MAX_VALUE));
  }

  /** Reads the first kept changes after a position. */
  List<Change> page(long after, long[] superseded, int limit) throws SQLException {
    List<Change> changes = new ArrayList<>();
    feed.setLong(1, after);
    read(feed, superseded, changes::add, limit);
    return changes;
  }

  /** Reads the changes of one slot, each with only the facts of that slot. */
  long changes(String slot, long after, long[] superseded, Consumer<Change> follower)
      throws SQLException {
    // Read before the feed, so that the feed contains at least all changes up to this position.
    long newestPosition = newest();
    feedOfSlot.setLong(1, after);
    feedOfSlot.setString(2, slot);
    long last = read(feedOfSlot, superseded, follower, Integer.MAX_VALUE);
    return Math.max(Math.max(after, newestPosition), last);
  }

  /**
   * Reads the changes of one endpoint.
   *
   * @param kept returns the keys of the endpoint's rows after the position. Only changes with a
   *     returned key count as read, because a row may be in the file before its key is known
   */
  long changes(Supplier<long[]> kept, long after, Consumer<Change> follower) throws SQLException {
    return Math.max(after, read(kept.get(), follower));
  }

  private long read(long[] keys, Consumer<Change> follower) throws SQLException {
    feedOfKeys.setString(1, Arrays.toString(keys));
    return read(feedOfKeys, new long[0], follower, Integer.MAX_VALUE);
  }

  /**
   * Reads the newest kept fact of each slot. Reads all kept facts where that is faster ({@link
   * NewestRows#areFew}). A row that is superseded and deleted meanwhile is not read; its successor
   * comes after the returned position.
   *
   * @return the position up to which changes were read
   */
  long newest(Consumer<Change> follower) throws SQLException {
    long upTo = index.position();
    NewestRows newest = index.newest(upTo);
    if (!newest.areFew()) {
      return changes(0, index.superseded(), follower);
    }
    long[] keys = newest.keys();
    for (int from = 0, to; from < keys.length; from = to) {
      to = Math.min(from + CHUNK, keys.length);
      while (to < keys.length && RowKey.position(keys[to]) == RowKey.position(keys[to - 1])) {
        to++;
      }
      read(Arrays.copyOfRange(keys, from, to), follower);
    }
    return upTo;
  }

  /** The changes of one endpoint with their sequence numbers; only a repair reads them. */
  List<KeptChange> kept(EndpointName name) throws SQLException {
    feedOfKeys.setString(1, Arrays.toString(index.keysAfter(name, 0)));
    try (ResultSet row = feedOfKeys.executeQuery()) {
      return KeptChange.read(row);
    }
  }

  private long newest() throws SQLException {
    try (ResultSet row = newest.executeQuery()) {
      return row.getLong(1);
    }
  }

  /** The facts that a slot keeps permanently, oldest first; null selects all endpoints. */
  List<Change> trail(
      String slot, @Nullable EndpointName name, long after, long[] superseded, int limit)
      throws SQLException {
    return trail(name == null ? trail : trailOfEndpoint, slot, name, after, superseded, limit);
  }

  /** The same facts, newest first. */
  List<Change> trailBack(
      String slot, @Nullable EndpointName name, long before, long[] superseded, int limit)
      throws SQLException {
    return trail(
        name == null ? trailBack : trailBackOfEndpoint, slot, name, before, superseded, limit);
  }

  private List<Change> trail(
      PreparedStatement select,
      String slot,
      @Nullable EndpointName name,
      long from,
      long[] superseded,
      int limit)
      throws SQLException {
    select.setString(1, slot);
    select.setLong(2, from);
    if (name != null) {
      select.setString(3, name.d());
      select.setString(4, name.ep());
    }
    List<Change> changes = new ArrayList<>();
    read(select, superseded, changes::add, limit);
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
      FactRow next = next(row, superseded);
      for (int i = 0; next != null && i < limit; i++) {
        FactRow first = next;
        position = first.position();
        EndpointStateIndex.@Nullable Identity identity = index.identity(first.endpoint());
        List<Fact> facts = new ArrayList<>(1);
        do {
          String slot = slots.of(next.slot());
          if (!slot.equals(SlotRetention.NO_SLOT)) {
            facts.add(SlotRetention.fact(slot, next.keep(), next.body()));
          }
          next = next(row, superseded);
        } while (next != null && next.position() == position);
        if (identity != null) {
          follower.accept(
              new Change(
                  position,
                  identity.id(),
                  identity.name(),
                  Microseconds.toInstant(first.at()),
                  first.high(),
                  first.version(),
                  facts));
        }
      }
    }
    return position;
  }

  /** The next current row; null after the last one. */
  private static @Nullable FactRow next(ResultSet row, long[] superseded) throws SQLException {
    while (row.next()) {
      if (superseded.length == 0
          || Arrays.binarySearch(superseded, RowKey.of(row.getLong(1), row.getInt(2))) < 0) {
        return FactRow.read(row);
      }
    }
    return null;
  }

  HistoryReader histories() {
    return histories;
  }

  /** The connection, for queries that are too rare to be kept prepared. */
  Connection connection() {
    return connection;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
