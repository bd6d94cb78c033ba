package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.EndpointStateIndex.Identity;
import dev.vigil.gateway.store.sqlite.EndpointStateIndex.State;
import dev.vigil.gateway.store.sqlite.ForgettableEndpoints.Forgettable;
import dev.vigil.gateway.store.sqlite.memory.ClearedSlots.ClearedSlot;
import dev.vigil.gateway.store.sqlite.older.OlderFactWriter;
import dev.vigil.gateway.store.sqlite.rows.Microseconds;
import dev.vigil.gateway.store.sqlite.rows.SlotRetention;
import dev.vigil.gateway.store.sqlite.rows.StoreOperation;
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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes batches on the writing connection. Only the store's thread calls it: {@link #begin},
 * {@link #write} or {@link #apply} for each batch, {@link #commit}. Before the commit, the results
 * are provisional and {@link EndpointStateIndex} is unchanged. After an exception the writer can
 * only be closed, which rolls the transaction back.
 *
 * <p>A batch inserts one row for each fact. Superseded rows are deleted in groups and in file
 * order, so that deletions share pages.
 */
final class FeedWriter implements AutoCloseable {
  /**
   * The number of names without data, and of cleared slots, that are kept. A name that returns soon
   * keeps its id, and no batch is in flight that was decided before the name was forgotten.
   */
  private static final int MAX_EMPTIED = 4096;

  /** The number of names that are forgotten together. */
  private static final int FORGET_THRESHOLD = 1024;

  /** The number of superseded rows that are deleted together. */
  private static final int DELETE_THRESHOLD = 2048;

  private final Connection connection;
  private final EndpointStateIndex index;
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final RowWriter rows;
  private final OlderFactWriter older;

  /** Null in a store that no log fills. */
  private final @Nullable ReplicaTables replica;

  /** The position up to which the log of a replica lacks messages. */
  private final long gaps;

  /** The positions of changes without effect. */
  private final Set<Long> voided = new HashSet<>();

  /** The states of the endpoints that the open transaction has changed. */
  private final Map<EndpointName, State> changed = new HashMap<>();

  private final List<Uncommitted> uncommitted = new ArrayList<>();

  /** The endpoints whose name the open transaction gives to another endpoint. */
  private final List<Forgettable> replaced = new ArrayList<>();

  /** The slots that lose their older facts in the open transaction. */
  private final Set<OlderSlot> dropped = new HashSet<>();

  private long position;
  private long endpoints;
  private long ids;
  private boolean deleted;

  private record Uncommitted(State after, List<Fact> facts) {}

  private record OlderSlot(long endpoint, String slot) {}

  /**
   * @param isReplica whether a log fills the store
   */
  FeedWriter(Connection connection, EndpointStateIndex index, boolean isReplica)
      throws SQLException {
    this.connection = connection;
    this.index = index;
    begin = connection.prepareStatement("BEGIN IMMEDIATE");
    commit = connection.prepareStatement("COMMIT");
    rows = new RowWriter(connection);
    older = new OlderFactWriter(connection);
    replica = isReplica ? new ReplicaTables(connection) : null;
    gaps = replica == null ? 0 : ReplicaTables.gaps(connection);
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
    rows.insert();
    if (replica != null) {
      for (State after : changed.values()) {
        replica.head(after.identity(), after.hash());
      }
      replica.write();
    }
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
    index.forgotten(replaced);
    for (Uncommitted one : uncommitted) {
      index.committed(one.after, one.facts);
    }
    replaced.clear();
    uncommitted.clear();
    changed.clear();
    dropped.clear();
  }

  /**
   * Forgets the oldest untrusted names without data, and the oldest cleared slots of reserved
   * names, when there are many.
   */
  void forgetExcess() throws SQLException {
    if (index.forgettable().names() >= MAX_EMPTIED + FORGET_THRESHOLD
        || index.forgettable().slots() >= MAX_EMPTIED + FORGET_THRESHOLD) {
      forget(MAX_EMPTIED, MAX_EMPTIED);
    }
  }

  /**
   * Forgets all untrusted names without data, and all cleared slots of reserved names. A replica
   * keeps the newest of these slots: if the log loses the removal of a record, they repair it.
   */
  void forgetAll() throws SQLException {
    forget(0, replica == null ? 0 : MAX_EMPTIED);
  }

  /**
   * Runs in a separate transaction, which also deletes superseded rows of the forgotten endpoints.
   */
  private void forget(int namesLeft, int slotsLeft) throws SQLException {
    List<Forgettable> forgettable = index.takeForgettable(namesLeft);
    List<ClearedSlot> slots = index.forgettable().takeSlots(slotsLeft);
    if (forgettable.isEmpty() && slots.isEmpty()) {
      return;
    }
    begin.execute();
    for (ClearedSlot slot : slots) {
      rows.delete(slot.key());
    }
    forget(forgettable);
    commit.execute();
    index.supersededDeleted();
    deleted = false;
    index.forgotten(forgettable);
    index.forgottenSlots(slots);
  }

  private void forget(List<Forgettable> forgettable) throws SQLException {
    delete();
    for (Forgettable one : forgettable) {
      for (long key : one.keys()) {
        rows.delete(key);
      }
      rows.forget(one.identity());
      if (replica != null) {
        replica.forget(one.identity());
      }
    }
    rows.delete();
    if (replica != null) {
      replica.write();
    }
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

  /** Superseded rows of slots that keep older facts become older facts in the same transaction. */
  private void delete() throws SQLException {
    older.add(index.older());
    for (long key : index.superseded()) {
      rows.delete(key);
    }
    rows.delete();
    deleted = true;
  }

  private @Nullable State state(EndpointName name) {
    State before = changed.get(name);
    return before == null ? index.state(name) : before;
  }

  /** Decides a batch and writes its change. */
  SubmitResult write(Batch batch) throws SQLException {
    State before = state(batch.endpoint());
    long high = before == null ? 0 : before.high();
    long version = before == null ? 0 : before.version();
    Optional<SubmitResult> refusal = batch.refusal(high, version);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Identity identity = before == null ? create(batch.endpoint()) : before.identity();
    Change change =
        new Change(
            position + 1,
            identity.id(),
            identity.name(),
            Microseconds.truncate(batch.at()),
            batch.sequence().orElse(high),
            version + 1,
            SlotRetention.survivors(batch.facts()));
    add(identity, change, batch.sequence().orElse(0), EndpointStateIndex.NO_HASH);
    return new SubmitResult.Committed(change);
  }

  /**
   * Whether the open transaction must be committed before a change: it has changed an endpoint that
   * the change replaces.
   */
  boolean mustCommitBefore(LoggedChange logged) {
    State before = changed.get(logged.change().endpoint());
    return before != null && !logged.keepsId(before);
  }

  /** Writes a change that was decided elsewhere, unless the file has it or it has no effect. */
  SubmitResult apply(LoggedChange logged) throws SQLException {
    Change change = logged.change();
    if (change.position() > position) {
      State before = state(change.endpoint());
      if (before != null && logged.isVoid(before, gaps, voided)) {
        voided.add(change.position());
        add(before.identity(), logged.withoutEffect(before), 0, logged.hash());
        return new SubmitResult.VersionMoved(before.version());
      }
      if (before != null) {
        logged.requireContinues(before, gaps);
      }
      if (before != null && logged.keepsId(before)) {
        add(before.identity(), change, logged.sequence(), logged.hash());
      } else {
        if (before != null) {
          replace(before.identity());
        }
        add(create(change.id(), change.endpoint()), change, logged.sequence(), logged.hash());
      }
    }
    return new SubmitResult.Committed(change);
  }

  /**
   * Forgets an endpoint that another replica has forgotten and whose name belongs to a new
   * endpoint.
   */
  private void replace(Identity former) throws SQLException {
    Forgettable forgotten = index.replaceable(former.name());
    if (forgotten == null) {
      throw new LoggedChange.BrokenLogException(former.name(), position);
    }
    // The unique name must be free before the rows of the new endpoint are inserted.
    rows.insert();
    forget(List.of(forgotten));
    replaced.add(forgotten);
  }

  private Identity create(EndpointName name) throws SQLException {
    if (!name.isReserved()) {
      ids++;
    }
    return create(Identity.of(endpoints + 1, name, ids));
  }

  private Identity create(String id, EndpointName name) throws SQLException {
    return create(new Identity(endpoints + 1, id, name));
  }

  private Identity create(Identity identity) throws SQLException {
    endpoints = identity.number();
    rows.create(identity);
    index.announce(identity);
    return identity;
  }

  private void add(Identity identity, Change change, long sequence, byte[] hash)
      throws SQLException {
    position = change.position();
    State after = new State(identity, change.high(), change.version(), position, hash);
    rows.append(after, sequence, change);
    for (Fact fact : change.facts()) {
      if (!fact.keepsOlder() && index.keepsOlder(identity.name(), fact.slot())) {
        dropped.add(new OlderSlot(identity.number(), fact.slot()));
      }
    }
    changed.put(identity.name(), after);
    uncommitted.add(new Uncommitted(after, change.facts()));
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
