package dev.vigil.gateway.store.sqlite.aggregates;

import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateSeries;
import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.gateway.store.sqlite.rows.StoreTransactions;
import dev.vigil.store.EndpointName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Aggregates in the store's file. The store's thread writes them; callers' threads read. */
public final class SqliteAggregates implements AggregateStore {
  private static final String READ =
      """
      SELECT name, unit, kid, start, count, sum, min, max, last, last_at
      FROM series CROSS JOIN aggregate ON series.number = aggregate.series
      WHERE endpoint = (SELECT number FROM endpoint WHERE d = ? AND ep = ?) AND path = ?
        AND seconds = ? AND start >= ? AND start < ?
      ORDER BY series.number, start LIMIT ?
      """;

  /** The oldest minute, unless it was deleted and only its hour and day are left. */
  private static final String OLDEST =
      """
      SELECT min(coalesce(
        (SELECT min(start) FROM aggregate WHERE series = number AND seconds = 60 AND start < (
          SELECT min(start) + 86400 FROM aggregate WHERE series = number AND seconds = 86400)),
        (SELECT min(start) FROM aggregate WHERE series = number AND seconds = 86400)))
      FROM series
      WHERE endpoint = (SELECT number FROM endpoint WHERE d = ? AND ep = ?) AND path = ?
      """;

  /** The series with the most minutes, of the endpoint with the most minutes. */
  private static final String GREEDIEST =
      """
      SELECT number FROM series WHERE minutes > 0 AND endpoint IS (
        SELECT endpoint FROM series GROUP BY endpoint ORDER BY sum(minutes) DESC LIMIT 1)
      ORDER BY minutes DESC LIMIT 1
      """;

  private static final String USED =
      """
      SELECT (page_count - freelist_count) * page_size
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size
      """;

  private final StoreTransactions transactions;

  /** The series that {@link #expire} examined last; used only by the store's thread. */
  private long examined;

  public SqliteAggregates(StoreTransactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public List<Long> positions() {
    return transactions.read(
        connection -> {
          List<Long> positions = new ArrayList<>();
          try (PreparedStatement select =
                  connection.prepareStatement("SELECT position FROM aggregated ORDER BY part");
              ResultSet row = select.executeQuery()) {
            while (row.next()) {
              positions.add(row.getLong(1));
            }
          }
          return positions;
        });
  }

  @Override
  public CompletableFuture<?> add(Additions additions) {
    return transactions.write(
        connection -> {
          new AggregateWriter(connection).add(additions);
          return additions.minutes().size();
        });
  }

  @Override
  public List<Entry> read(
      EndpointName endpoint, String path, Resolution resolution, long from, long to, int limit) {
    return transactions.read(
        connection -> {
          List<Entry> found = new ArrayList<>();
          try (PreparedStatement select = connection.prepareStatement(READ)) {
            set(select, endpoint, path);
            select.setLong(4, resolution.seconds());
            select.setLong(5, from);
            select.setLong(6, to);
            select.setInt(7, limit);
            try (ResultSet row = select.executeQuery()) {
              while (row.next()) {
                found.add(entry(endpoint, path, row));
              }
            }
          }
          return found;
        });
  }

  private static void set(PreparedStatement select, EndpointName endpoint, String path)
      throws SQLException {
    select.setString(1, endpoint.d());
    select.setString(2, endpoint.ep());
    select.setString(3, path);
  }

  private static Entry entry(EndpointName endpoint, String path, ResultSet row)
      throws SQLException {
    return new Entry(
        new AggregateSeries(endpoint, path, row.getString(1), row.getString(2), row.getString(3)),
        row.getLong(4),
        new Aggregate(
            row.getLong(5),
            row.getDouble(6),
            row.getDouble(7),
            row.getDouble(8),
            row.getDouble(9),
            row.getDouble(10)));
  }

  @Override
  public OptionalLong oldest(EndpointName endpoint, String path) {
    return transactions.read(
        connection -> {
          try (PreparedStatement select = connection.prepareStatement(OLDEST)) {
            set(select, endpoint, path);
            try (ResultSet row = select.executeQuery()) {
              long oldest = row.getLong(1);
              return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(oldest);
            }
          }
        });
  }

  @Override
  public CompletableFuture<Integer> expire(long minutesFrom, long hoursFrom) {
    return transactions.write(
        connection -> {
          AggregateRetention retention = new AggregateRetention(connection);
          examined = retention.expire(examined, minutesFrom, hoursFrom);
          return retention.deleted();
        });
  }

  @Override
  public CompletableFuture<Integer> shrink() {
    long series = number(GREEDIEST);
    return series == 0
        ? CompletableFuture.completedFuture(0)
        : transactions.write(
            connection -> {
              AggregateRetention retention = new AggregateRetention(connection);
              retention.shrink(series);
              return retention.deleted();
            });
  }

  @Override
  public long usedOctets() {
    return number(USED);
  }

  /** The number that a query finds; 0 when it finds nothing. */
  private long number(String query) {
    return transactions.read(
        connection -> {
          try (PreparedStatement select = connection.prepareStatement(query);
              ResultSet row = select.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
          }
        });
  }
}
