package dev.vigil.gateway.store.sqlite;

import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of every endpoint and the rows of its slots, as they are on disk. The store's thread
 * decides by it and updates it after each commit; any thread may read it.
 */
final class EndpointStateIndex {
  /** Facts of one change at most: as many as a {@link RowKey} can tell apart. */
  static final int MAX_FACTS = 1 << RowKey.ORD_BITS;

  private final Map<EndpointName, Entry> byName = new ConcurrentHashMap<>();

  /** Identities in the order of their numbers. Only the store's thread writes the field. */
  private volatile @Nullable Identity[] byNumber = new @Nullable Identity[64];

  /** One instance of each slot name; used only by the store's thread. */
  private final Map<String, String> slotNames = new HashMap<>();

  /** Rows that newer ones have superseded and that are still in the file; guarded by itself. */
  private final List<Long> superseded = new ArrayList<>();

  private long position;
  private long endpoints;

  /** The key of a row of {@code fact}: position and place in the change, ordered like the feed. */
  static final class RowKey {
    static final int ORD_BITS = 10;

    private RowKey() {}

    static long of(long position, int ord) {
      return position << ORD_BITS | ord;
    }

    static long position(long key) {
      return key >> ORD_BITS;
    }

    static int ord(long key) {
      return (int) key & (MAX_FACTS - 1);
    }
  }

  /** The constant part of an endpoint; one shared instance for each endpoint. */
  record Identity(long number, String id, EndpointName name) {}

  /** An endpoint at one point in the feed. */
  record State(Identity identity, long high, long version) {}

  /** Guarded by itself. */
  private static final class Entry {
    final Identity identity;
    long high;
    long version;
    @Nullable Slot[] slots = new @Nullable Slot[0];

    Entry(Identity identity) {
      this.identity = identity;
    }

    @Nullable Slot slot(String name) {
      for (Slot slot : slots) {
        if (slot != null && slot.name.equals(name)) {
          return slot;
        }
      }
      return null;
    }
  }

  /** The keys of the rows of one slot, oldest first. */
  private static final class Slot {
    final String name;
    long[] keys = new long[1];
    int size;

    Slot(String name) {
      this.name = name;
    }

    void add(long key, int capacity, List<Long> superseded) {
      int excess = Math.max(0, size + 1 - capacity);
      for (int i = 0; i < excess; i++) {
        superseded.add(keys[i]);
      }
      size -= excess;
      long[] target =
          size < keys.length ? keys : new long[Math.min(2 * size, Math.max(capacity, 1))];
      System.arraycopy(keys, excess, target, 0, size);
      target[size++] = key;
      keys = target;
    }
  }

  /** Reads the whole file. */
  static EndpointStateIndex read(Connection connection) throws SQLException {
    EndpointStateIndex index = new EndpointStateIndex();
    List<Entry> entries = index.readEndpoints(connection);
    SlotNameCache slots = new SlotNameCache();
    try (PreparedStatement statement =
            connection.prepareStatement(
                """
                SELECT position << %d | ord, endpoint, slot,
                  CASE length(body) WHEN 0 THEN 1 ELSE keep END, high, version
                FROM fact ORDER BY position, ord
                """
                    .formatted(RowKey.ORD_BITS));
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        long key = row.getLong(1);
        int number = row.getInt(2);
        if (number < 1 || number > entries.size()) {
          throw unknown(number);
        }
        Entry entry = entries.get(number - 1);
        index.add(entry, slots.of(row.getBytes(3)), key, row.getInt(4));
        entry.high = row.getLong(5);
        entry.version = row.getLong(6);
        index.position = RowKey.position(key);
      }
    }
    return index;
  }

  private List<Entry> readEndpoints(Connection connection) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT number, id, d, ep FROM endpoint ORDER BY number");
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        endpoints = row.getLong(1);
        EndpointName name = new EndpointName(text(row, 4), text(row, 3));
        Entry entry = new Entry(new Identity(endpoints, text(row, 2), name));
        entries.add(entry);
        byName.put(name, entry);
        announce(entry.identity);
      }
    }
    return entries;
  }

  /** The driver takes several times as long for a string as for its octets. */
  private static String text(ResultSet row, int column) throws SQLException {
    return new String(row.getBytes(column), StandardCharsets.UTF_8);
  }

  /**
   * Makes an endpoint's identity known before its first row is committed, so that a reader of the
   * row finds it. A number whose transaction failed is given to the next new endpoint.
   */
  void announce(Identity identity) {
    @Nullable Identity[] all = byNumber;
    int at = Math.toIntExact(identity.number) - 1;
    if (at >= all.length) {
      all = Arrays.copyOf(all, 2 * all.length);
    }
    all[at] = identity;
    byNumber = all;
  }

  Identity identity(int number) throws SQLException {
    @Nullable Identity[] all = byNumber;
    Identity identity = number < 1 || number > all.length ? null : all[number - 1];
    if (identity == null) {
      throw unknown(number);
    }
    return identity;
  }

  private static SQLException unknown(int number) {
    return new SQLException("a row of fact names endpoint " + number + ", which does not exist");
  }

  /** The position of the last committed change. */
  long position() {
    return position;
  }

  /** The number of the newest endpoint. */
  long endpoints() {
    return endpoints;
  }

  @Nullable State state(EndpointName name) {
    Entry entry = byName.get(name);
    if (entry == null) {
      return null;
    }
    synchronized (entry) {
      return new State(entry.identity, entry.high, entry.version);
    }
  }

  Optional<Store.Endpoint> endpoint(EndpointName name) {
    State state = state(name);
    return state == null
        ? Optional.empty()
        : Optional.of(new Store.Endpoint(state.identity.id, name, state.high, state.version));
  }

  /** The keys of the rows that a slot keeps, oldest first, rows with an empty body included. */
  long[] keys(EndpointName name, String slot) {
    Entry entry = byName.get(name);
    if (entry == null) {
      return new long[0];
    }
    synchronized (entry) {
      Slot found = entry.slot(slot);
      return found == null ? new long[0] : Arrays.copyOf(found.keys, found.size);
    }
  }

  /**
   * Takes over a committed batch.
   *
   * @param after the endpoint's state with the batch
   * @param at the position of its change
   */
  void committed(State after, long at, List<Fact> facts) {
    position = at;
    endpoints = Math.max(endpoints, after.identity.number);
    Entry entry = byName.computeIfAbsent(after.identity.name, name -> new Entry(after.identity));
    synchronized (entry) {
      entry.high = after.high;
      entry.version = after.version;
      if (facts.isEmpty()) {
        add(entry, SlotRetention.NO_SLOT, RowKey.of(at, 0), 1);
      }
      for (int ord = 0; ord < facts.size(); ord++) {
        Fact fact = facts.get(ord);
        add(entry, fact.slot(), RowKey.of(at, ord), SlotRetention.keep(fact));
      }
    }
  }

  private void add(Entry entry, String name, long key, int capacity) {
    Slot slot = entry.slot(name);
    if (slot == null) {
      slot = new Slot(slotNames.computeIfAbsent(name, same -> same));
      entry.slots = Arrays.copyOf(entry.slots, entry.slots.length + 1);
      entry.slots[entry.slots.length - 1] = slot;
    }
    synchronized (superseded) {
      slot.add(key, capacity, superseded);
    }
  }

  /**
   * The keys of the superseded rows in the file, ascending. Readers skip them; the store's thread
   * deletes them and then calls {@link #supersededDeleted}.
   */
  long[] superseded() {
    synchronized (superseded) {
      return superseded.stream().mapToLong(key -> key).sorted().toArray();
    }
  }

  int supersededCount() {
    synchronized (superseded) {
      return superseded.size();
    }
  }

  void supersededDeleted() {
    synchronized (superseded) {
      superseded.clear();
    }
  }
}
