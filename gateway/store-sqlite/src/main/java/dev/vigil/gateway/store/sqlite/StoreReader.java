package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.memory.RowKey;
import dev.vigil.gateway.store.sqlite.memory.SlotNameCache;
import dev.vigil.gateway.store.sqlite.older.OlderFact;
import dev.vigil.gateway.store.sqlite.older.OlderFactReader;
import dev.vigil.gateway.store.sqlite.rows.KeptChange;
import dev.vigil.gateway.store.sqlite.rows.Microseconds;
import dev.vigil.gateway.store.sqlite.rows.SlotRetention;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
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
  /** The columns that {@link #read} expects. */
  private static final String ROWS =
      "SELECT position << %d | ord, endpoint, at, high, version, slot, keep, body FROM fact "
          .formatted(RowKey.ORD_BITS);

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

  /** The first parameter is a JSON array of row keys; each is looked up by the primary key. */
  private static final String HISTORY =
      """
      SELECT position, sequence, at, body
      FROM json_each(?) AS kept CROSS JOIN fact
        ON position = kept.value >> %d AND ord = kept.value & %d
      WHERE sequence > ? AND length(body) > 0
      ORDER BY position, ord LIMIT ?
      """
          .formatted(RowKey.ORD_BITS, EndpointStateIndex.MAX_FACTS - 1);

  private static final String HISTORY_BACK =
      HISTORY
          .replace("sequence > ?", "sequence > 0 AND sequence < ?")
          .replace("position, ord", "position DESC, ord DESC");

  /**
   * The first parameter is the same as for {@link #HISTORY}; the columns are the same as for {@link
   * #ROWS}.
   */
  private static final String FEED_OF_ENDPOINT =
      """
      SELECT kept.value, endpoint, at, high, version, slot, keep, body
      FROM json_each(?) AS kept CROSS JOIN fact
        ON position = kept.value >> %d AND ord = kept.value & %d
      ORDER BY position, ord
      """
          .formatted(RowKey.ORD_BITS, EndpointStateIndex.MAX_FACTS - 1);

  private static final String KEPT =
      """
      SELECT %s FROM json_each(?) AS kept CROSS JOIN fact
        ON position = kept.value >> %d AND ord = kept.value & %d
      ORDER BY position, ord
      """
          .formatted(KeptChange.COLUMNS, RowKey.ORD_BITS, EndpointStateIndex.MAX_FACTS - 1);

  private static final long NO_ROW = -1;

  private final Connection connection;
  private final EndpointStateIndex index;
  private final SlotNameCache slots = new SlotNameCache();
  private final PreparedStatement feed;
  private final PreparedStatement feedOfSlot;
  private final PreparedStatement feedOfEndpoint;
  private final PreparedStatement newest;
  private final PreparedStatement trail;
  private final PreparedStatement trailOfEndpoint;
  private final PreparedStatement trailBack;
  private final PreparedStatement trailBackOfEndpoint;
  private final PreparedStatement history;
  private final PreparedStatement historyBack;
  private final PreparedStatement begin;
  private final PreparedStatement end;
  private final OlderFactReader older;

  StoreReader(Connection connection, EndpointStateIndex index) throws SQLException {
    this.connection = connection;
    this.index = index;
    feed = connection.prepareStatement(FEED);
    feedOfSlot = connection.prepareStatement(FEED_OF_SLOT);
    feedOfEndpoint = connection.prepareStatement(FEED_OF_ENDPOINT);
    newest = connection.prepareStatement("SELECT max(position) FROM fact");
    trail = connection.prepareStatement(TRAIL.formatted(">", "", ""));
    trailOfEndpoint = connection.prepareStatement(TRAIL.formatted(">", OF_ENDPOINT, ""));
    trailBack = connection.prepareStatement(TRAIL.formatted("<", "", "DESC"));
    trailBackOfEndpoint = connection.prepareStatement(TRAIL.formatted("<", OF_ENDPOINT, "DESC"));
    history = connection.prepareStatement(HISTORY);
    historyBack = connection.prepareStatement(HISTORY_BACK);
    begin = connection.prepareStatement("BEGIN");
    end = connection.prepareStatement("COMMIT");
    older = new OlderFactReader(connection);
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
    feedOfEndpoint.setString(1, Arrays.toString(kept.get()));
    return Math.max(after, read(feedOfEndpoint, new long[0], follower, Integer.MAX_VALUE));
  }

  /** The changes of one endpoint with their sequence numbers; only a repair reads them. */
  List<KeptChange> kept(EndpointName name) throws SQLException {
    try (PreparedStatement kept = connection.prepareStatement(KEPT)) {
      kept.setString(1, Arrays.toString(index.keysAfter(name, 0)));
      try (ResultSet row = kept.executeQuery()) {
        return KeptChange.read(row);
      }
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
      long key = next(row, superseded);
      for (int i = 0; key != NO_ROW && i < limit; i++) {
        position = RowKey.position(key);
        EndpointStateIndex.@Nullable Identity identity = index.identity(row.getInt(2));
        long at = row.getLong(3);
        long high = row.getLong(4);
        long version = row.getLong(5);
        List<Fact> facts = new ArrayList<>(1);
        do {
          String slot = slots.of(row.getBytes(6));
          if (!slot.equals(SlotRetention.NO_SLOT)) {
            facts.add(SlotRetention.fact(slot, row.getInt(7), row.getBytes(8)));
          }
          key = next(row, superseded);
        } while (RowKey.position(key) == position);
        if (identity != null) {
          follower.accept(
              new Change(
                  position,
                  identity.id(),
                  identity.name(),
                  Microseconds.toInstant(at),
                  high,
                  version,
                  facts));
        }
      }
    }
    return position;
  }

  /** The key of the next current row, or {@link #NO_ROW}. */
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
   * @param kept returns the keys of the slot's rows, oldest first. It is called before the query,
   *     so that all rows are in the snapshot. A row deleted in between is not returned
   */
  List<Store.HistoryEntry> history(Supplier<long[]> kept, long afterSequence, int limit)
      throws SQLException {
    return history(history, kept.get(), afterSequence, limit);
  }

  /** Same as {@link #history}, newest first. */
  List<Store.HistoryEntry> historyBack(Supplier<long[]> kept, long beforeSequence, int limit)
      throws SQLException {
    return history(historyBack, kept.get(), beforeSequence, limit);
  }

  /**
   * The older facts of a slot, then the facts that it keeps, from one snapshot.
   *
   * @param kept is called before the snapshot: a row that leaves meanwhile is an older fact in it
   */
  List<Store.HistoryEntry> wholeHistory(
      long endpoint, String slot, Supplier<long[]> kept, long afterSequence, int limit)
      throws SQLException {
    long[] keys = kept.get();
    begin.execute();
    try {
      List<Store.HistoryEntry> found = entries(older.after(endpoint, slot, afterSequence, limit));
      if (found.size() < limit) {
        found.addAll(history(history, keys, afterSequence, limit - found.size()));
      }
      return found;
    } finally {
      end.execute();
    }
  }

  /** Same as {@link #wholeHistory}, newest first. */
  List<Store.HistoryEntry> wholeHistoryBack(
      long endpoint, String slot, Supplier<long[]> kept, long beforeSequence, int limit)
      throws SQLException {
    long[] keys = kept.get();
    begin.execute();
    try {
      List<Store.HistoryEntry> found = history(historyBack, keys, beforeSequence, limit);
      if (found.size() < limit) {
        found.addAll(entries(older.before(endpoint, slot, beforeSequence, limit - found.size())));
      }
      return found;
    } finally {
      end.execute();
    }
  }

  private static List<Store.HistoryEntry> entries(List<OlderFact> facts) {
    List<Store.HistoryEntry> found = new ArrayList<>(facts.size());
    for (OlderFact fact : facts) {
      found.add(
          new Store.HistoryEntry(
              RowKey.position(fact.key()),
              fact.sequence(),
              Microseconds.toInstant(fact.at()),
              fact.body()));
    }
    return found;
  }

  /** See {@link Store#lastBefore}. */
  long lastBefore(long endpoint, String slot, long at) throws SQLException {
    return older.lastBefore(endpoint, slot, at);
  }

  private static List<Store.HistoryEntry> history(
      PreparedStatement query, long[] kept, long sequence, int limit) throws SQLException {
    query.setString(1, Arrays.toString(kept));
    query.setLong(2, sequence);
    query.setInt(3, limit);
    List<Store.HistoryEntry> found = new ArrayList<>();
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        found.add(
            new Store.HistoryEntry(
                row.getLong(1),
                row.getLong(2),
                Microseconds.toInstant(row.getLong(3)),
                row.getBytes(4)));
      }
    }
    return found;
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
