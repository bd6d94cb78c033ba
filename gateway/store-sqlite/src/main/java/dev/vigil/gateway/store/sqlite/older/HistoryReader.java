package dev.vigil.gateway.store.sqlite.older;

import dev.vigil.gateway.store.sqlite.memory.RowKey;
import dev.vigil.gateway.store.sqlite.rows.FactRow;
import dev.vigil.gateway.store.sqlite.rows.Microseconds;
import dev.vigil.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads histories: the facts that a slot keeps, and its older ones. Used by one thread at a time.
 */
public final class HistoryReader {
  /** The first parameter is a JSON array of row keys; each is looked up by the primary key. */
  private static final String HISTORY =
      """
      SELECT %s FROM json_each(?) AS kept CROSS JOIN fact
        ON position = kept.value >> %d AND ord = kept.value & %d
      WHERE sequence > ? AND length(body) > 0
      ORDER BY position, ord LIMIT ?
      """
          .formatted(FactRow.COLUMNS, RowKey.ORD_BITS, RowKey.ORD_MASK);

  private static final String HISTORY_BACK =
      HISTORY
          .replace("sequence > ?", "sequence > 0 AND sequence < ?")
          .replace("position, ord", "position DESC, ord DESC");

  private final PreparedStatement history;
  private final PreparedStatement historyBack;
  private final PreparedStatement begin;
  private final PreparedStatement end;
  private final OlderFactReader older;

  public HistoryReader(Connection connection) throws SQLException {
    history = connection.prepareStatement(HISTORY);
    historyBack = connection.prepareStatement(HISTORY_BACK);
    begin = connection.prepareStatement("BEGIN");
    end = connection.prepareStatement("COMMIT");
    older = new OlderFactReader(connection);
  }

  /**
   * @param kept returns the keys of the slot's rows, oldest first. It is called before the query,
   *     so that all rows are in the snapshot. A row deleted in between is not returned
   */
  public List<Store.HistoryEntry> history(Supplier<long[]> kept, long afterSequence, int limit)
      throws SQLException {
    return history(history, kept.get(), afterSequence, limit);
  }

  /** Same as {@link #history}, newest first. */
  public List<Store.HistoryEntry> historyBack(Supplier<long[]> kept, long beforeSequence, int limit)
      throws SQLException {
    return history(historyBack, kept.get(), beforeSequence, limit);
  }

  /**
   * The older facts of a slot, then the facts that it keeps, from one snapshot.
   *
   * @param kept is called before the snapshot: a row that leaves meanwhile is an older fact in it
   */
  public List<Store.HistoryEntry> wholeHistory(
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
  public List<Store.HistoryEntry> wholeHistoryBack(
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
  public long lastBefore(long endpoint, String slot, long at) throws SQLException {
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
        FactRow fact = FactRow.read(row);
        found.add(
            new Store.HistoryEntry(
                fact.position(), fact.sequence(), Microseconds.toInstant(fact.at()), fact.body()));
      }
    }
    return found;
  }
}
