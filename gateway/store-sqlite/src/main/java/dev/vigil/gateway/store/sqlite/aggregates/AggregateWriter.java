package dev.vigil.gateway.store.sqlite.aggregates;

import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateSeries;
import dev.vigil.gateway.store.AggregateStore.Additions;
import dev.vigil.gateway.store.AggregateStore.AggregatedResource;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.store.EndpointName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Changes aggregates within one transaction of the store's thread. */
final class AggregateWriter {
  /**
   * The maximum number of series of one resource. An endpoint that invents names cannot fill the
   * disk with series; its further names are not aggregated.
   */
  private static final int MAX_SERIES = 256;

  private static final String ENDPOINT = "SELECT number FROM endpoint WHERE d = ? AND ep = ?";

  private static final String SERIES =
      "SELECT number FROM series WHERE endpoint = ? AND path = ? AND name = ? AND unit = ? AND kid = ?";

  private static final String SERIES_OF_RESOURCE =
      "SELECT count(*) FROM series WHERE endpoint = ? AND path = ?";

  private static final String NEW_SERIES =
      "INSERT INTO series (endpoint, path, name, unit, kid) VALUES (?, ?, ?, ?, ?) RETURNING number";

  private static final String REMOVE =
      "UPDATE series SET endpoint = NULL WHERE endpoint = ? AND path = ? AND kid = coalesce(?, kid)";

  private static final String UPDATE =
      """
      UPDATE aggregate SET count = count + ?, sum = sum + ?, min = min(min, ?), max = max(max, ?),
        last = CASE WHEN ? >= last_at THEN ? ELSE last END, last_at = max(last_at, ?)
      WHERE series = ? AND seconds = ? AND start = ?
      """;

  private static final String INSERT =
      """
      INSERT INTO aggregate (count, sum, min, max, last, last_at, series, seconds, start)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private final Connection connection;

  /** The numbers of endpoints in this transaction; 0 for a name that the store does not know. */
  private final Map<EndpointName, Long> endpoints = new HashMap<>();

  private record Row(long series, Resolution resolution, long start, Aggregate aggregate) {}

  AggregateWriter(Connection connection) {
    this.connection = connection;
  }

  void add(Additions additions) throws SQLException {
    remove(additions.removed());
    List<Row> rows = rows(additions.minutes());
    insert(update(rows));
    move(additions.positions());
  }

  private void move(List<Long> positions) throws SQLException {
    try (PreparedStatement move =
        connection.prepareStatement("UPDATE aggregated SET position = ? WHERE part = ?")) {
      for (int part = 0; part < positions.size(); part++) {
        move.setLong(1, positions.get(part));
        move.setInt(2, part);
        move.addBatch();
      }
      move.executeBatch();
    }
  }

  private void remove(Iterable<AggregatedResource> resources) throws SQLException {
    try (PreparedStatement remove = connection.prepareStatement(REMOVE)) {
      for (AggregatedResource resource : resources) {
        remove.setLong(1, endpoint(resource.endpoint()));
        remove.setString(2, resource.path());
        remove.setString(3, resource.kid());
        remove.executeUpdate();
      }
    }
  }

  private long endpoint(EndpointName name) throws SQLException {
    Long known = endpoints.get(name);
    if (known != null) {
      return known;
    }
    try (PreparedStatement select = connection.prepareStatement(ENDPOINT)) {
      select.setString(1, name.d());
      select.setString(2, name.ep());
      try (ResultSet row = select.executeQuery()) {
        long number = row.next() ? row.getLong(1) : 0;
        endpoints.put(name, number);
        return number;
      }
    }
  }

  /** One row for each series, resolution and start. */
  private List<Row> rows(Map<AggregateSeries, Map<Long, Aggregate>> minutes) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(SERIES)) {
      for (Map.Entry<AggregateSeries, Map<Long, Aggregate>> one : minutes.entrySet()) {
        long endpoint = endpoint(one.getKey().endpoint());
        long series = endpoint == 0 ? 0 : series(select, endpoint, one.getKey());
        if (series == 0) {
          continue;
        }
        for (Resolution resolution : Resolution.values()) {
          Map<Long, Aggregate> together = new TreeMap<>();
          one.getValue()
              .forEach(
                  (start, aggregate) ->
                      together.merge(resolution.start(start), aggregate, Aggregate::plus));
          together.forEach((start, sum) -> rows.add(new Row(series, resolution, start, sum)));
        }
      }
    }
    return rows;
  }

  /** The number of a series, which is created if it is missing; 0 when there are too many. */
  private long series(PreparedStatement select, long endpoint, AggregateSeries series)
      throws SQLException {
    set(select, endpoint, series);
    try (ResultSet row = select.executeQuery()) {
      if (row.next()) {
        return row.getLong(1);
      }
    }
    try (PreparedStatement count = connection.prepareStatement(SERIES_OF_RESOURCE)) {
      count.setLong(1, endpoint);
      count.setString(2, series.path());
      try (ResultSet row = count.executeQuery()) {
        if (row.getInt(1) >= MAX_SERIES) {
          return 0;
        }
      }
    }
    try (PreparedStatement insert = connection.prepareStatement(NEW_SERIES)) {
      set(insert, endpoint, series);
      try (ResultSet row = insert.executeQuery()) {
        return row.getLong(1);
      }
    }
  }

  private static void set(PreparedStatement statement, long endpoint, AggregateSeries series)
      throws SQLException {
    statement.setLong(1, endpoint);
    statement.setString(2, series.path());
    statement.setString(3, series.name());
    statement.setString(4, series.unit());
    statement.setString(5, series.kid());
  }

  /** Adds to existing rows and returns the rows that do not exist. */
  private List<Row> update(List<Row> rows) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      for (Row row : rows) {
        Aggregate aggregate = row.aggregate();
        update.setLong(1, aggregate.count());
        update.setDouble(2, aggregate.sum());
        update.setDouble(3, aggregate.min());
        update.setDouble(4, aggregate.max());
        update.setDouble(5, aggregate.lastAt());
        update.setDouble(6, aggregate.last());
        update.setDouble(7, aggregate.lastAt());
        setKey(update, 8, row);
        update.addBatch();
      }
      int[] updated = update.executeBatch();
      List<Row> missing = new ArrayList<>();
      for (int i = 0; i < updated.length; i++) {
        if (updated[i] == 0) {
          missing.add(rows.get(i));
        }
      }
      return missing;
    }
  }

  private void insert(List<Row> rows) throws SQLException {
    Map<Long, Integer> minutes = new TreeMap<>();
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (Row row : rows) {
        Aggregate aggregate = row.aggregate();
        insert.setLong(1, aggregate.count());
        insert.setDouble(2, aggregate.sum());
        insert.setDouble(3, aggregate.min());
        insert.setDouble(4, aggregate.max());
        insert.setDouble(5, aggregate.last());
        insert.setDouble(6, aggregate.lastAt());
        setKey(insert, 7, row);
        insert.addBatch();
        if (row.resolution() == Resolution.MINUTE) {
          minutes.merge(row.series(), 1, Integer::sum);
        }
      }
      insert.executeBatch();
    }
    try (PreparedStatement count =
        connection.prepareStatement("UPDATE series SET minutes = minutes + ? WHERE number = ?")) {
      for (Map.Entry<Long, Integer> one : minutes.entrySet()) {
        count.setInt(1, one.getValue());
        count.setLong(2, one.getKey());
        count.addBatch();
      }
      count.executeBatch();
    }
  }

  private static void setKey(PreparedStatement statement, int first, Row row) throws SQLException {
    statement.setLong(first, row.series());
    statement.setLong(first + 1, row.resolution().seconds());
    statement.setLong(first + 2, row.start());
  }
}
