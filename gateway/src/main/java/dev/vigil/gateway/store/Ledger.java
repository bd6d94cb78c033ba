package dev.vigil.gateway.store;

import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Lands batches on the writing connection. Only the store's thread calls it, between {@link #begin}
 * and {@link #commit}; until the commit nothing that it returned is true. After an exception it can
 * only be closed, which rolls back.
 */
final class Ledger implements AutoCloseable {
  /** The compare-and-set: moves the endpoint on only if number and version are as asked. */
  private static final String ADVANCE =
      """
      UPDATE endpoint SET high = max(high, coalesce(?3, high)), version = version + 1
      WHERE d = ?1 AND ep = ?2 AND (?3 IS NULL OR high < ?3) AND (?4 IS NULL OR version = ?4)
      RETURNING number, id, high, version
      """;

  private static final String FIND = "SELECT high, version FROM endpoint WHERE d = ? AND ep = ?";
  private static final String CREATE =
      "INSERT INTO endpoint (number, id, d, ep, high, version) VALUES (?, ?, ?, ?, ?, 1)";

  private static final String APPEND =
      """
      INSERT INTO fact (position, ord, endpoint, slot, nth, keep, sequence, high, version, at, body)
      VALUES (?1, ?2, ?3, ?4,
        1 + coalesce((SELECT max(nth) FROM fact WHERE endpoint = ?3 AND slot = ?4), 0),
        ?5, ?6, ?7, ?8, ?9, ?10)
      RETURNING nth
      """;

  private static final String SUPERSEDE =
      "DELETE FROM fact WHERE endpoint = ? AND slot = ? AND nth <= ?";

  private static final int RADIX = 36;

  private final Connection connection;
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement advance;
  private final PreparedStatement find;
  private final PreparedStatement create;
  private final PreparedStatement append;
  private final PreparedStatement supersede;

  /** The last that was handed out. */
  private long position;

  /** The number of the endpoint made last. */
  private long endpoints;

  /** The endpoint once the batch has landed. */
  private record Standing(long number, String id, long high, long version) {}

  /**
   * @param room how many rows its slot holds at the most once this one is in
   */
  private record Row(String slot, int keep, byte[] body, int room) {}

  Ledger(Connection connection) throws SQLException {
    this.connection = connection;
    // Nothing is kept in memory that decides: a second writer could only make this one wait.
    begin = connection.prepareStatement("BEGIN IMMEDIATE");
    commit = connection.prepareStatement("COMMIT");
    advance = connection.prepareStatement(ADVANCE);
    find = connection.prepareStatement(FIND);
    create = connection.prepareStatement(CREATE);
    append = connection.prepareStatement(APPEND);
    supersede = connection.prepareStatement(SUPERSEDE);
    // The newest change always keeps a row, and endpoints stay: no number is handed out twice.
    position = last("SELECT coalesce(max(position), 0) FROM fact");
    endpoints = last("SELECT coalesce(max(number), 0) FROM endpoint");
  }

  void begin() throws SQLException {
    begin.execute();
  }

  void commit() throws SQLException {
    commit.execute();
  }

  Outcome land(Batch batch) throws SQLException {
    Standing standing = advance(batch);
    if (standing == null) {
      Outcome refusal = refusal(batch);
      if (refusal != null) {
        return refusal;
      }
      standing = create(batch);
    }
    position++;
    List<Fact> facts = Slots.survivors(batch.facts());
    if (facts.isEmpty()) {
      append(standing, batch, 0, new Row(Slots.NO_SLOT, 1, new byte[0], 1));
    }
    for (int ord = 0; ord < facts.size(); ord++) {
      Fact fact = facts.get(ord);
      append(
          standing, batch, ord, new Row(fact.slot(), fact.keep(), fact.body(), Slots.keep(fact)));
    }
    return new Outcome.Landed(
        new Change(
            position,
            standing.id,
            batch.endpoint(),
            Micros.truncate(batch.at()),
            standing.high,
            standing.version,
            facts));
  }

  private @Nullable Standing advance(Batch batch) throws SQLException {
    advance.setString(1, batch.endpoint().d());
    advance.setString(2, batch.endpoint().ep());
    set(advance, 3, batch.sequence());
    set(advance, 4, batch.version());
    try (ResultSet row = advance.executeQuery()) {
      return row.next()
          ? new Standing(row.getLong(1), row.getString(2), row.getLong(3), row.getLong(4))
          : null;
    }
  }

  /** Why the endpoint did not move on; null when there is no such endpoint yet and it may be. */
  private @Nullable Outcome refusal(Batch batch) throws SQLException {
    long high = 0;
    long version = 0;
    find.setString(1, batch.endpoint().d());
    find.setString(2, batch.endpoint().ep());
    try (ResultSet row = find.executeQuery()) {
      if (row.next()) {
        high = row.getLong(1);
        version = row.getLong(2);
      }
    }
    if (batch.sequence().isPresent() && batch.sequence().getAsLong() <= high) {
      return new Outcome.SequenceUsed(high);
    }
    if (batch.version().isPresent() && batch.version().getAsLong() != version) {
      return new Outcome.VersionMoved(version);
    }
    return null;
  }

  private Standing create(Batch batch) throws SQLException {
    EndpointName name = batch.endpoint();
    endpoints++;
    Standing standing =
        new Standing(endpoints, Long.toString(endpoints, RADIX), batch.sequence().orElse(0), 1);
    create.setLong(1, standing.number);
    create.setString(2, standing.id);
    create.setString(3, name.d());
    create.setString(4, name.ep());
    create.setLong(5, standing.high);
    create.executeUpdate();
    return standing;
  }

  private void append(Standing standing, Batch batch, int ord, Row fact) throws SQLException {
    append.setLong(1, position);
    append.setInt(2, ord);
    append.setLong(3, standing.number);
    append.setString(4, fact.slot);
    append.setInt(5, fact.keep);
    append.setLong(6, batch.sequence().orElse(0));
    append.setLong(7, standing.high);
    append.setLong(8, standing.version);
    append.setLong(9, Micros.of(batch.at()));
    append.setBytes(10, fact.body);
    long nth;
    try (ResultSet row = append.executeQuery()) {
      row.next();
      nth = row.getLong(1);
    }
    long newestToGo = nth - fact.room;
    if (newestToGo > 0) {
      supersede.setLong(1, standing.number);
      supersede.setString(2, fact.slot);
      supersede.setLong(3, newestToGo);
      supersede.executeUpdate();
    }
  }

  private static void set(PreparedStatement statement, int index, OptionalLong value)
      throws SQLException {
    if (value.isPresent()) {
      statement.setLong(index, value.getAsLong());
    } else {
      statement.setNull(index, Types.INTEGER);
    }
  }

  private long last(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
