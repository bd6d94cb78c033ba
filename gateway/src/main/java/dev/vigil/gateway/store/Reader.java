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
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One reading connection; one thread at a time. */
final class Reader implements AutoCloseable {
  private static final String FEED =
      """
      SELECT position, id, ep, d, at, fact.high, fact.version, slot, keep, body
      FROM fact JOIN endpoint ON endpoint.number = fact.endpoint
      WHERE position > ? ORDER BY position, ord
      """;

  private static final String ENDPOINT =
      "SELECT id, high, version FROM endpoint WHERE d = ? AND ep = ?";

  private static final String HISTORY =
      """
      SELECT position, sequence, at, body FROM fact
      WHERE endpoint = (SELECT number FROM endpoint WHERE d = ? AND ep = ?)
        AND slot = ? AND sequence > ? AND length(body) > 0
      ORDER BY nth LIMIT ?
      """;

  private final Connection connection;
  private final PreparedStatement feed;
  private final PreparedStatement endpoint;
  private final PreparedStatement history;

  Reader(Connection connection) throws SQLException {
    this.connection = connection;
    feed = connection.prepareStatement(FEED);
    endpoint = connection.prepareStatement(ENDPOINT);
    history = connection.prepareStatement(HISTORY);
  }

  /** Every kept change after a position, in order, from one snapshot. */
  void changes(long after, Consumer<Change> follower) throws SQLException {
    feed.setLong(1, after);
    try (ResultSet row = feed.executeQuery()) {
      boolean more = row.next();
      while (more) {
        long position = row.getLong(1);
        String id = row.getString(2);
        EndpointName name = new EndpointName(row.getString(3), row.getString(4));
        long at = row.getLong(5);
        long high = row.getLong(6);
        long version = row.getLong(7);
        List<Fact> facts = new ArrayList<>(1);
        do {
          String slot = row.getString(8);
          if (!slot.equals(Slots.NO_SLOT)) {
            facts.add(new Fact(slot, row.getInt(9), row.getBytes(10)));
          }
          more = row.next();
        } while (more && row.getLong(1) == position);
        follower.accept(new Change(position, id, name, Micros.toInstant(at), high, version, facts));
      }
    }
  }

  Optional<Store.Endpoint> endpoint(EndpointName name) throws SQLException {
    endpoint.setString(1, name.d());
    endpoint.setString(2, name.ep());
    try (ResultSet row = endpoint.executeQuery()) {
      return row.next()
          ? Optional.of(new Store.Endpoint(row.getString(1), name, row.getLong(2), row.getLong(3)))
          : Optional.empty();
    }
  }

  List<Store.Kept> history(EndpointName name, String slot, long afterSequence, int limit)
      throws SQLException {
    history.setString(1, name.d());
    history.setString(2, name.ep());
    history.setString(3, slot);
    history.setLong(4, afterSequence);
    history.setInt(5, limit);
    List<Store.Kept> kept = new ArrayList<>();
    try (ResultSet row = history.executeQuery()) {
      while (row.next()) {
        kept.add(
            new Store.Kept(
                row.getLong(1), row.getLong(2), Micros.toInstant(row.getLong(3)), row.getBytes(4)));
      }
    }
    return kept;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
