package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.ClearedSlots.ClearedSlot;
import dev.vigil.gateway.store.sqlite.EndpointStateIndex.Forgettable;
import dev.vigil.gateway.store.sqlite.EndpointStateIndex.Identity;
import dev.vigil.gateway.store.sqlite.EndpointStateIndex.RowKey;
import dev.vigil.gateway.store.sqlite.EndpointStateIndex.State;
import dev.vigil.gateway.store.sqlite.aggregates.StoreOperation;
import dev.vigil.gateway.store.sqlite.older.OlderFactWriter;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.SubmitResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes batches on the writing connection. Only the store's thread calls it: {@link #begin},
 * {@link #write} for each batch, {@link #commit}. Before the commit, the results of {@code write}
 * are provisional and {@link EndpointStateIndex} is unchanged. After an exception the writer can
 * only be closed, which rolls the transaction back.
 *
 * <p>A batch inserts one row for each fact. Superseded rows are deleted in groups and in file
 * order, so that deletions share pages.
 */
final class FeedWriter implements AutoCloseable {
  private static final String CREATE =
      "INSERT INTO endpoint (number, id, d, ep) VALUES (?, ?, ?, ?)";

  private static final String APPEND =
      """
      INSERT INTO fact (position, ord, endpoint, slot, keep, sequence, high, version, at, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String FORGET = "DELETE FROM endpoint WHERE number = ?";

  /**
   * The number of names without data that are kept. A name that returns soon keeps its id, and no
   * batch is in flight that was decided before the name was forgotten.
   */
  private static final int MAX_EMPTIED = 4096;

  /** The number of names that are forgotten together. */
  private static final int FORGET_THRESHOLD = 1024;

  private static final String DELETE = "DELETE FROM fact WHERE position = ? AND ord = ?";

  /** The number of superseded rows that are deleted together. */
  private static final int DELETE_THRESHOLD = 2048;

  private static final byte[] NO_BODY = {};

  private final Connection connection;
  private final EndpointStateIndex index;
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement create;
  private final PreparedStatement append;
  private final PreparedStatement delete;
  private final PreparedStatement forget;
  private final OlderFactWriter older;

  /** The states of the endpoints that the open transaction has changed. */
  private final Map<EndpointName, State> changed = new HashMap<>();

  private final List<Uncommitted> uncommitted = new ArrayList<>();

  /** The slots whose older facts the open transaction takes away. */
  private final Set<OlderSlot> dropped = new HashSet<>();

  private long position;
  private long endpoints;
  private long ids;
  private boolean deleted;

  private record Uncommitted(State after, Change change) {}

  private record OlderSlot(long endpoint, String slot) {}

  FeedWriter(Connection connection, EndpointStateIndex index) throws SQLException {
    this.connection = connection;
    this.index = index;
    begin = connection.prepareStatement("BEGIN IMMEDIATE");
    commit = connection.prepareStatement("COMMIT");
    create = connection.prepareStatement(CREATE);
    append = connection.prepareStatement(APPEND);
    delete = connection.prepareStatement(DELETE);
    forget = connection.prepareStatement(FORGET);
    older = new OlderFactWriter(connection, RowKey.ORD_BITS);
  }

  void begin() throws SQLException {
    // The newest endpoint and the newest row are never deleted, so numbers are never reused.
    position = index.position();
    endpoints = index.endpoints();
    ids = index.ids();
    begin.execute();
  }

  /** Commits everything since {@link #begin} and updates the index. */
  void commit() throws SQLException {
    // All rows go into one call because the driver's cost per statement exceeds SQLite's cost per
    // row.
    create.executeBatch();
    append.executeBatch();
    if (index.supersededCount() >= DELETE_THRESHOLD) {
      delete();
    }
    for (OlderSlot slot : dropped) {
      older.drop(slot.endpoint(), slot.slot());
    }
    commit.execute();
    if (deleted) {
      index.supersededDeleted();
      deleted = false;
    }
    for (Uncommitted one : uncommitted) {
      index.committed(one.after, one.change.position(), one.change.facts());
    }
    uncommitted.clear();
    changed.clear();
    dropped.clear();
  }

  /**
   * Forgets the oldest untrusted names without data, and the oldest cleared slots of reserved
   * names, when there are many.
   */
  void forgetExcess() throws SQLException {
    if (index.emptiedCount() >= MAX_EMPTIED + FORGET_THRESHOLD
        || index.clearedSlotCount() >= MAX_EMPTIED + FORGET_THRESHOLD) {
      forget(MAX_EMPTIED);
    }
  }

  /** Forgets all untrusted names without data, and all cleared slots of reserved names. */
  void forgetAll() throws SQLException {
    forget(0);
  }

  /**
   * Runs in a separate transaction, which also deletes superseded rows of the forgotten endpoints.
   */
  private void forget(int left) throws SQLException {
    List<Forgettable> forgettable = index.takeForgettable(left);
    List<ClearedSlot> slots = index.takeClearedSlots(left);
    if (forgettable.isEmpty() && slots.isEmpty()) {
      return;
    }
    begin.execute();
    delete();
    for (ClearedSlot slot : slots) {
      addDeletion(slot.key());
    }
    for (Forgettable one : forgettable) {
      for (long key : one.keys()) {
        addDeletion(key);
      }
      forget.setLong(1, one.identity().number());
      forget.addBatch();
    }
    delete.executeBatch();
    forget.executeBatch();
    commit.execute();
    index.supersededDeleted();
    deleted = false;
    index.forgotten(forgettable);
    index.forgottenSlots(slots);
  }

  /** Deletes the remaining superseded rows, so that a closed file contains only current rows. */
  void deleteSuperseded() throws SQLException {
    if (index.supersededCount() > 0) {
      begin();
      delete();
      commit();
    }
    forgetAll();
  }

  /** Superseded rows of slots with older facts move to those in the same transaction. */
  private void delete() throws SQLException {
    older.add(index.older());
    for (long key : index.superseded()) {
      addDeletion(key);
    }
    delete.executeBatch();
    deleted = true;
  }

  private void addDeletion(long key) throws SQLException {
    delete.setLong(1, RowKey.position(key));
    delete.setInt(2, RowKey.ord(key));
    delete.addBatch();
  }

  SubmitResult write(Batch batch) throws SQLException {
    EndpointName name = batch.endpoint();
    State before = changed.get(name);
    if (before == null) {
      before = index.state(name);
    }
    long high = before == null ? 0 : before.high();
    long version = before == null ? 0 : before.version();
    if (batch.sequence().isPresent() && batch.sequence().getAsLong() <= high) {
      return new SubmitResult.SequenceUsed(high);
    }
    if (batch.version().isPresent() && batch.version().getAsLong() != version) {
      return new SubmitResult.VersionMoved(version);
    }
    State after =
        before == null
            ? create(batch)
            : new State(before.identity(), batch.sequence().orElse(high), version + 1);
    position++;
    List<Fact> facts = SlotRetention.survivors(batch.facts());
    append(after, batch, facts);
    Change change =
        new Change(
            position,
            after.identity().id(),
            after.identity().name(),
            Microseconds.truncate(batch.at()),
            after.high(),
            after.version(),
            facts);
    changed.put(name, after);
    uncommitted.add(new Uncommitted(after, change));
    return new SubmitResult.Committed(change);
  }

  private State create(Batch batch) throws SQLException {
    EndpointName name = batch.endpoint();
    endpoints++;
    if (!name.isReserved()) {
      ids++;
    }
    Identity identity = Identity.of(endpoints, name, ids);
    create.setLong(1, identity.number());
    create.setString(2, identity.id());
    create.setString(3, name.d());
    create.setString(4, name.ep());
    create.addBatch();
    index.announce(identity);
    return new State(identity, batch.sequence().orElse(0), 1);
  }

  private void append(State after, Batch batch, List<Fact> facts) throws SQLException {
    append.setLong(1, position);
    append.setLong(3, after.identity().number());
    append.setLong(6, batch.sequence().orElse(0));
    append.setLong(7, after.high());
    append.setLong(8, after.version());
    append.setLong(9, Microseconds.of(batch.at()));
    if (facts.isEmpty()) {
      append(0, SlotRetention.NO_SLOT, 1, NO_BODY);
    }
    for (int ord = 0; ord < facts.size(); ord++) {
      Fact fact = facts.get(ord);
      append(ord, fact.slot(), SlotRetention.column(fact), fact.body());
      if (!fact.keepsOlder() && index.keepsOlder(batch.endpoint(), fact.slot())) {
        dropped.add(new OlderSlot(after.identity().number(), fact.slot()));
      }
    }
  }

  private void append(int ord, String slot, int keep, byte[] body) throws SQLException {
    append.setInt(2, ord);
    append.setString(4, slot);
    append.setInt(5, keep);
    append.setBytes(10, body);
    append.addBatch();
  }

  /** Runs other work on the store's file in a separate transaction. */
  <T> T run(StoreOperation<T> operation) throws SQLException {
    begin();
    T result = operation.run(connection);
    commit();
    return result;
  }

  @Override
  public void close() throws SQLException {
    older.close();
    connection.close();
  }
}
