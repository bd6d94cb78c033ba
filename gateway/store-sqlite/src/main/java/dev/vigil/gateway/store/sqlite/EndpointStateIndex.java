package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.ForgettableEndpoints.Forgettable;
import dev.vigil.gateway.store.sqlite.memory.ClearedSlots.ClearedSlot;
import dev.vigil.gateway.store.sqlite.memory.NewestRows;
import dev.vigil.gateway.store.sqlite.memory.NumberedTable;
import dev.vigil.gateway.store.sqlite.memory.RowKey;
import dev.vigil.gateway.store.sqlite.memory.SlotNameCache;
import dev.vigil.gateway.store.sqlite.older.LeavingRows;
import dev.vigil.gateway.store.sqlite.older.MovingTurn;
import dev.vigil.gateway.store.sqlite.rows.DamagedRowException;
import dev.vigil.gateway.store.sqlite.rows.EndpointRow;
import dev.vigil.gateway.store.sqlite.rows.FactHead;
import dev.vigil.gateway.store.sqlite.rows.SlotRetention;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The on-disk state of every endpoint and the rows of its slots. The store's thread decides batches
 * with this index and updates it after each commit. Any thread may read it.
 *
 * <p>An endpoint is forgettable when all its slots are empty and it never had a sequence number,
 * which means that it was never trusted. Numbers and ids are never reused. Therefore the newest
 * endpoint, the endpoint with the newest id and the newest change are kept.
 */
final class EndpointStateIndex {
  /** The maximum number of facts in one change; limited by {@link RowKey}. */
  static final int MAX_FACTS = 1 << RowKey.ORD_BITS;

  private final Map<EndpointName, EndpointEntry> byName = new ConcurrentHashMap<>();

  /** Only the store's thread writes. */
  private final NumberedTable<Identity> byNumber = new NumberedTable<>();

  private final ForgettableEndpoints forgettable = new ForgettableEndpoints(byName);

  /** Shared instances of slot names; used only by the store's thread. */
  private final Map<String, String> slotNames = new HashMap<>();

  private final SupersededRows superseded = new SupersededRows();

  /** Used only by the thread that reads the file, then by the store's thread. */
  private final MovingTurn turn = new MovingTurn();

  /** Set after the endpoint's entry, so that a reader of the position finds what it covers. */
  private volatile long position;

  private long endpoints;

  /** The highest {@link Identity#ordinal}. */
  private long ids;

  /** The constant part of an endpoint; each endpoint has one shared instance. */
  record Identity(long number, String id, EndpointName name) {
    private static final int RADIX = 36;

    private static final String RESERVED = ".";

    /** Names of the gateway's own records do not use up the ids that people see. */
    static Identity of(long number, EndpointName name, long ordinal) {
      String id =
          name.isReserved()
              ? RESERVED + Long.toString(number, RADIX)
              : Long.toString(ordinal, RADIX);
      return new Identity(number, id, name);
    }

    /**
     * The id as a number; 0 for an id of a reserved name. Older stores also numbered reserved
     * names.
     */
    long ordinal() {
      return id.startsWith(RESERVED) ? 0 : Long.parseLong(id, RADIX);
    }

    EndpointRow row() {
      return new EndpointRow(number, id, name.d(), name.ep());
    }
  }

  /**
   * An endpoint at one point in the feed.
   *
   * @param position of its newest change
   * @param hash of its newest batch in the log that fills a replica; otherwise {@link #NO_HASH}
   */
  record State(Identity identity, long high, long version, long position, byte[] hash) {}

  /** The hash in a store that no log fills. */
  static final byte[] NO_HASH = {};

  /** Reads the whole file. */
  static EndpointStateIndex read(Connection connection) throws SQLException {
    EndpointStateIndex index = new EndpointStateIndex();
    NumberedTable<EndpointEntry> entries = index.readEndpoints(connection);
    SlotNameCache slots = new SlotNameCache();
    try (PreparedStatement statement =
            connection.prepareStatement(
                "SELECT %s FROM fact ORDER BY position, ord".formatted(FactHead.COLUMNS));
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        FactHead head = FactHead.read(row);
        EndpointEntry entry = entries.get(head.endpoint());
        if (entry == null) {
          throw unknown(head.endpoint());
        }
        boolean clears = head.length() == 0;
        index.add(
            entry,
            slots.of(head.slot()),
            RowKey.of(head.position(), head.ord()),
            clears ? 1 : head.keep(),
            clears);
        entry.high = head.high();
        entry.version = head.version();
        index.position = head.position();
      }
    }
    index.turn.begin(index.position);
    index.byName.values().stream().filter(EndpointEntry::isEmptied).forEach(index.forgettable::add);
    return index;
  }

  private NumberedTable<EndpointEntry> readEndpoints(Connection connection) throws SQLException {
    NumberedTable<EndpointEntry> entries = new NumberedTable<>();
    try (PreparedStatement statement =
            connection.prepareStatement(
                "SELECT %s FROM endpoint ORDER BY number".formatted(EndpointRow.COLUMNS));
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        EndpointRow found = EndpointRow.read(row);
        endpoints = found.number();
        EndpointName name = found.name();
        EndpointEntry entry = new EndpointEntry(new Identity(endpoints, found.id(), name));
        ids = Math.max(ids, entry.identity.ordinal());
        entries.put(endpoints, entry);
        byName.put(name, entry);
        announce(entry.identity);
      }
    }
    return entries;
  }

  /**
   * Publishes an endpoint's identity before its first row is committed, so that a reader of the row
   * finds the identity. If the transaction fails, the next new endpoint receives the number.
   */
  void announce(Identity identity) {
    byNumber.put(identity.number, identity);
  }

  /** Sets the hash of an endpoint's newest batch, while the file is read. */
  void hash(long number, byte[] hash) {
    Identity identity = byNumber.get(number);
    EndpointEntry entry = identity == null ? null : byName.get(identity.name);
    if (entry != null) {
      entry.hash = hash;
    }
  }

  /** Returns null for an endpoint that was forgotten after the reader's snapshot. */
  @Nullable Identity identity(long number) {
    return byNumber.get(number);
  }

  /** The number of endpoints in memory. */
  int size() {
    return byName.size();
  }

  /** The names and slots that may be forgettable. */
  ForgettableEndpoints forgettable() {
    return forgettable;
  }

  /**
   * Takes the names that have been forgettable for the longest time.
   *
   * @param left the number of names that may stay
   * @return endpoints that are still forgettable
   */
  List<Forgettable> takeForgettable(int left) {
    return forgettable.takeNames(left, this::isNewest);
  }

  /** Whether forgetting an endpoint would free a number, an id or a position for another use. */
  private boolean isNewest(Forgettable one) {
    return one.identity().number == endpoints
        || ids > 0 && one.identity().ordinal() == ids
        || Arrays.stream(one.keys()).anyMatch(key -> RowKey.position(key) == position);
  }

  /**
   * An endpoint whose name another replica has forgotten and given to a new endpoint; null if it
   * must not be forgotten.
   */
  @Nullable Forgettable replaceable(EndpointName name) {
    return forgettable.ifEmptied(name);
  }

  /** Must be called after the rows of the slots were deleted. */
  void forgottenSlots(List<ClearedSlot> slots) {
    for (ClearedSlot slot : slots) {
      EndpointEntry entry = byName.get(slot.name());
      if (entry != null) {
        synchronized (entry) {
          entry.removeCleared(slot.slot());
        }
      }
      // Another endpoint with a slot of this name keeps its own instance of the name.
      slotNames.remove(slot.slot());
    }
  }

  /** Must be called after the endpoints' rows were deleted. */
  void forgotten(List<Forgettable> endpointsToForget) {
    for (Forgettable one : endpointsToForget) {
      byName.remove(one.identity().name);
      byNumber.remove(one.identity().number);
    }
  }

  private static SQLException unknown(long number) {
    return new DamagedRowException("the row of endpoint %d is missing".formatted(number), null);
  }

  /** The position of the last committed change. */
  long position() {
    return position;
  }

  /** The number of the newest endpoint. */
  long endpoints() {
    return endpoints;
  }

  /** The newest id as a number; the store keeps the endpoint with this id. */
  long ids() {
    return ids;
  }

  @Nullable State state(EndpointName name) {
    EndpointEntry entry = byName.get(name);
    if (entry == null) {
      return null;
    }
    synchronized (entry) {
      return new State(entry.identity, entry.high, entry.version, entry.position(), entry.hash);
    }
  }

  Optional<Store.Endpoint> endpoint(EndpointName name) {
    State state = state(name);
    return state == null
        ? Optional.empty()
        : Optional.of(new Store.Endpoint(state.identity.id, name, state.high, state.version));
  }

  /** The keys of the rows that a slot keeps, oldest first, including rows with an empty body. */
  long[] keys(EndpointName name, String slot) {
    EndpointEntry entry = byName.get(name);
    if (entry == null) {
      return new long[0];
    }
    synchronized (entry) {
      return entry.keys(slot);
    }
  }

  /** The keys of all rows that an endpoint keeps after a position, ascending. */
  long[] keysAfter(EndpointName name, long after) {
    EndpointEntry entry = byName.get(name);
    if (entry == null) {
      return new long[0];
    }
    synchronized (entry) {
      return entry.keysAfter(after);
    }
  }

  /** The newest row of each slot, up to a position that was read before. */
  NewestRows newest(long upTo) {
    NewestRows rows = new NewestRows(upTo);
    for (EndpointEntry entry : byName.values()) {
      synchronized (entry) {
        entry.addTo(rows);
      }
    }
    return rows;
  }

  /**
   * Applies a committed batch.
   *
   * @param after the endpoint's state after the batch
   */
  void committed(State after, List<Fact> facts) {
    long at = after.position;
    turn.reach(at);
    endpoints = Math.max(endpoints, after.identity.number);
    ids = Math.max(ids, after.identity.ordinal());
    EndpointEntry entry =
        byName.computeIfAbsent(after.identity.name, name -> new EndpointEntry(after.identity));
    synchronized (entry) {
      entry.high = after.high;
      entry.version = after.version;
      entry.hash = after.hash;
      if (facts.isEmpty()) {
        add(entry, SlotRetention.NO_SLOT, RowKey.of(at, 0), 1, true);
      }
      boolean cleared = false;
      for (int ord = 0; ord < facts.size(); ord++) {
        Fact fact = facts.get(ord);
        int keep = fact.isNone() ? 1 : SlotRetention.column(fact);
        add(entry, fact.slot(), RowKey.of(at, ord), keep, fact.isNone());
        cleared |= fact.isNone();
      }
      forgettable.changed(entry, cleared);
    }
    position = at;
  }

  private void add(EndpointEntry entry, String name, long key, int keep, boolean clears) {
    String slot = entry.has(name) ? name : slotNames.computeIfAbsent(name, same -> same);
    turn.count(entry.keepsOlder(slot), keep < 0);
    entry.add(slot, key, keep, clears, RowKey.of(turn.began(), 0), superseded);
    if (clears && entry.identity.name.isReserved()) {
      forgettable.add(new ClearedSlot(entry.identity.name, slot, key));
    }
  }

  /**
   * The keys of the superseded rows in the file, ascending. Readers skip them; the store's thread
   * deletes them and then calls {@link #supersededDeleted}.
   */
  long[] superseded() {
    return superseded.keys();
  }

  /** The superseded rows that become older facts, by slot. */
  List<LeavingRows> older() {
    return superseded.older();
  }

  int supersededCount() {
    return superseded.count();
  }

  void supersededDeleted() {
    superseded.clear();
  }

  /** The number of an endpoint whose slot keeps older facts; 0 if it does not. */
  long withOlder(EndpointName name, String slot) {
    State state = state(name);
    return state != null && keepsOlder(name, slot) ? state.identity.number : 0;
  }

  /** Whether the newest fact of a slot keeps older facts. */
  boolean keepsOlder(EndpointName name, String slot) {
    EndpointEntry entry = byName.get(name);
    if (entry == null) {
      return false;
    }
    synchronized (entry) {
      return entry.keepsOlder(slot);
    }
  }

  /**
   * The keys of the rows of a slot that readers of its history see, ascending. Rows become older
   * facts only after this call, so a reader that looks at older facts later misses none.
   */
  long[] historyKeys(EndpointName name, String slot) {
    EndpointEntry entry = byName.get(name);
    if (entry == null) {
      return new long[0];
    }
    // A row moves from the kept ones to the superseded ones, so this order misses none.
    return LongStream.concat(
            Arrays.stream(keys(name, slot)), Arrays.stream(superseded.older(entry, slot)))
        .sorted()
        .distinct()
        .toArray();
  }
}
