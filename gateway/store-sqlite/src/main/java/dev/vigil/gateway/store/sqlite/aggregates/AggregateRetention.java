package dev.vigil.gateway.store.sqlite.aggregates;

import dev.vigil.gateway.store.Resolution;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes aggregates, a bounded number in one transaction of the store's thread, so that updates do
 * not wait for it.
 */
final class AggregateRetention {
  /** The number of aggregates that one transaction deletes. */
  static final int MAX_ROWS = 2000;

  /** The number of series that one transaction examines. */
  private static final int MAX_SERIES = 256;

  private static final String NEXT =
      "SELECT number, endpoint IS NULL FROM series WHERE number > ? ORDER BY number LIMIT "
          + MAX_SERIES;

  /** Deletes the oldest rows before a start. */
  private static final String DELETE =
      """
      DELETE FROM aggregate WHERE series = ?1 AND seconds = ?2 AND start <= (
        SELECT max(start) FROM (
          SELECT start FROM aggregate WHERE series = ?1 AND seconds = ?2 AND start < ?3
          ORDER BY start LIMIT ?4))
      """;

  private static final String FORGET =
      """
      DELETE FROM series WHERE number = ?1
        AND NOT EXISTS (SELECT 1 FROM aggregate WHERE aggregate.series = ?1)
      """;

  private final Connection connection;
  private int left = MAX_ROWS;

  private record Visited(long number, boolean removed) {}

  AggregateRetention(Connection connection) {
    this.connection = connection;
  }

  /**
   * @param after number of the series that was examined last
   * @return the number of the last series that this call completed; 0 to begin again
   */
  long expire(long after, long minutesFrom, long hoursFrom) throws SQLException {
    List<Visited> visited = next(after);
    long last = after;
    for (Visited series : visited) {
      for (Resolution resolution : Resolution.values()) {
        long from = resolution == Resolution.MINUTE ? minutesFrom : hoursFrom;
        delete(series.number(), resolution, series.removed() ? Long.MAX_VALUE : from);
      }
      if (left <= 0) {
        return last;
      }
      forget(series.number());
      last = series.number();
    }
    return visited.size() < MAX_SERIES ? 0 : last;
  }

  private List<Visited> next(long after) throws SQLException {
    List<Visited> found = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(NEXT)) {
      select.setLong(1, after);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          found.add(new Visited(row.getLong(1), row.getBoolean(2)));
        }
      }
    }
    return found;
  }

  /** Deletes the oldest minutes of a series, as many as a transaction may delete. */
  void shrink(long series) throws SQLException {
    delete(series, Resolution.MINUTE, Long.MAX_VALUE);
  }

  /** The number of aggregates that this object has deleted. */
  int deleted() {
    return MAX_ROWS - left;
  }

  private void delete(long series, Resolution resolution, long from) throws SQLException {
    if (left <= 0) {
      return;
    }
    int deleted;
    try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
      delete.setLong(1, series);
      delete.setLong(2, resolution.seconds());
      delete.setLong(3, from);
      delete.setInt(4, left);
      deleted = delete.executeUpdate();
    }
    left -= deleted;
    if (deleted > 0 && resolution == Resolution.MINUTE) {
      try (PreparedStatement count =
          connection.prepareStatement("UPDATE series SET minutes = minutes - ? WHERE number = ?")) {
        count.setInt(1, deleted);
        count.setLong(2, series);
        count.executeUpdate();
      }
    }
  }

  /** Deletes a series without aggregates, so that the resource can have another. */
  private void forget(long series) throws SQLException {
    try (PreparedStatement forget = connection.prepareStatement(FORGET)) {
      forget.setLong(1, series);
      forget.executeUpdate();
    }
  }
}
