package dev.vigil.gateway.store;

import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Outcome;
import dev.vigil.gateway.store.Standings.Named;
import dev.vigil.gateway.store.Standings.Standing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lands batches on the writing connection. Only the store's thread calls it, between {@link #begin}
 * and {@link #commit}; until the commit nothing that it returned is true, and {@link Standings}
 * knows nothing of it. After an exception it can only be closed, which rolls back.
 *
 * <p>A batch costs one appended row for each fact. Rows that were superseded wait until there are
 * many: taken out in the order of the file, they share its pages.
 */
final class Ledger implements AutoCloseable {
  private static final String CREATE =
      "INSERT INTO endpoint (number, id, d, ep) VALUES (?, ?, ?, ?)";

  private static final String APPEND =
      """
      INSERT INTO fact (position, ord, endpoint, slot, keep, sequence, high, version, at, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String SUPERSEDE = "DELETE FROM fact WHERE position = ? AND ord = ?";

  /** Rows that go at a time. */
  private static final int SWEEP = 2048;

  private static final int RADIX = 36;
  private static final byte[] NOTHING = {};

  private final Connection connection;
  private final Standings standings;
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement create;
  private final PreparedStatement append;
  private final PreparedStatement supersede;

  /** What the transaction under way has moved. */
  private final Map<EndpointName, Standing> moved = new HashMap<>();

  private final List<Landing> landings = new ArrayList<>();
  private long position;
  private long endpoints;
  private boolean swept;

  private record Landing(Standing after, Change change) {}

  Ledger(Connection connection, Standings standings) throws SQLException {
    this.connection = connection;
    this.standings = standings;
    begin = connection.prepareStatement("BEGIN IMMEDIATE");
    commit = connection.prepareStatement("COMMIT");
    create = connection.prepareStatement(CREATE);
    append = connection.prepareStatement(APPEND);
    supersede = connection.prepareStatement(SUPERSEDE);
  }

  void begin() throws SQLException {
    // The newest row of each endpoint stays, and endpoints do: no number is handed out twice.
    position = standings.position();
    endpoints = standings.endpoints();
    begin.execute();
  }

  /** Makes everything since {@link #begin} true. */
  void commit() throws SQLException {
    // All rows in one go: the driver does more for a statement than SQLite does for a row.
    create.executeBatch();
    append.executeBatch();
    if (standings.supersededCount() >= SWEEP) {
      sweep();
    }
    commit.execute();
    if (swept) {
      standings.swept();
      swept = false;
    }
    for (Landing landing : landings) {
      Change change = landing.change;
      standings.landed(change.endpoint(), landing.after, change.position(), change.facts());
    }
    landings.clear();
    moved.clear();
  }

  /** Takes the last superseded rows out, so that a file at rest holds what is kept. */
  void tidy() throws SQLException {
    if (standings.supersededCount() > 0) {
      begin();
      sweep();
      commit();
    }
  }

  private void sweep() throws SQLException {
    for (long key : standings.superseded()) {
      supersede.setLong(1, Standings.Key.position(key));
      supersede.setInt(2, Standings.Key.ord(key));
      supersede.addBatch();
    }
    supersede.executeBatch();
    swept = true;
  }

  Outcome land(Batch batch) throws SQLException {
    EndpointName name = batch.endpoint();
    Standing before = moved.get(name);
    if (before == null) {
      before = standings.of(name);
    }
    long high = before == null ? 0 : before.high();
    long version = before == null ? 0 : before.version();
    if (batch.sequence().isPresent() && batch.sequence().getAsLong() <= high) {
      return new Outcome.SequenceUsed(high);
    }
    if (batch.version().isPresent() && batch.version().getAsLong() != version) {
      return new Outcome.VersionMoved(version);
    }
    Standing after =
        before == null
            ? create(batch)
            : new Standing(before.named(), batch.sequence().orElse(high), version + 1);
    position++;
    List<Fact> facts = Slots.survivors(batch.facts());
    write(after, batch, facts);
    Change change =
        new Change(
            position,
            after.named().id(),
            after.named().name(),
            Micros.truncate(batch.at()),
            after.high(),
            after.version(),
            facts);
    moved.put(name, after);
    landings.add(new Landing(after, change));
    return new Outcome.Landed(change);
  }

  private Standing create(Batch batch) throws SQLException {
    EndpointName name = batch.endpoint();
    endpoints++;
    Named made = new Named(endpoints, Long.toString(endpoints, RADIX), name);
    create.setLong(1, made.number());
    create.setString(2, made.id());
    create.setString(3, name.d());
    create.setString(4, name.ep());
    create.addBatch();
    standings.name(made);
    return new Standing(made, batch.sequence().orElse(0), 1);
  }

  private void write(Standing after, Batch batch, List<Fact> facts) throws SQLException {
    append.setLong(1, position);
    append.setLong(3, after.named().number());
    append.setLong(6, batch.sequence().orElse(0));
    append.setLong(7, after.high());
    append.setLong(8, after.version());
    append.setLong(9, Micros.of(batch.at()));
    if (facts.isEmpty()) {
      write(0, Slots.NO_SLOT, 1, NOTHING);
    }
    for (int ord = 0; ord < facts.size(); ord++) {
      Fact fact = facts.get(ord);
      write(ord, fact.slot(), fact.keep(), fact.body());
    }
  }

  private void write(int ord, String slot, int keep, byte[] body) throws SQLException {
    append.setInt(2, ord);
    append.setString(4, slot);
    append.setInt(5, keep);
    append.setBytes(10, body);
    append.addBatch();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
