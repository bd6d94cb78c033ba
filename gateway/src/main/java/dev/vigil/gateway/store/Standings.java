package dev.vigil.gateway.store;

import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Store;
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
 * Where every endpoint stands and which rows its slots keep, by what is on disk: the store's thread
 * decides on it and moves it on after each commit, everybody may read it.
 */
final class Standings {
  /** Rows of one change that a {@link Key} can tell apart. */
  static final int MAX_FACTS = 1 << Key.ORD_BITS;

  private final Map<EndpointName, Kept> byName = new ConcurrentHashMap<>();

  /** One of each slot's name; the store's thread's own. */
  private final Map<String, String> slotNames = new HashMap<>();

  /** Rows that newer ones have superseded and that are still in the file; guarded by itself. */
  private final List<Long> superseded = new ArrayList<>();

  private long position;
  private long endpoints;

  /** Names a row of {@code fact}: its position and its place there, ordered like the feed. */
  static final class Key {
    static final int ORD_BITS = 10;

    private Key() {}

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

  /** An endpoint at one time. */
  record Standing(long number, String id, long high, long version) {}

  /** Guarded by itself. */
  private static final class Kept {
    Standing standing;
    @Nullable Slot[] slots = new @Nullable Slot[0];

    Kept(Standing standing) {
      this.standing = standing;
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

  /** The rows of one slot, oldest first. */
  private static final class Slot {
    final String name;
    long[] keys = new long[1];
    int size;

    Slot(String name) {
      this.name = name;
    }

    void add(long key, int room, List<Long> gone) {
      int go = Math.max(0, size + 1 - room);
      for (int i = 0; i < go; i++) {
        gone.add(keys[i]);
      }
      size -= go;
      long[] roomy = size < keys.length ? keys : new long[Math.min(2 * size, Math.max(room, 1))];
      System.arraycopy(keys, go, roomy, 0, size);
      roomy[size++] = key;
      keys = roomy;
    }
  }

  /** Folds up what is in the file. */
  static Standings read(Connection connection) throws SQLException {
    Standings read = new Standings();
    List<EndpointName> names = read.readNames(connection);
    try (PreparedStatement statement =
            connection.prepareStatement(
                """
                SELECT position, ord, endpoint, slot, keep, high, version, length(body) FROM fact
                ORDER BY position, ord
                """);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        EndpointName name = names.get(row.getInt(3) - 1);
        Kept kept = read.byName.get(name);
        if (kept == null) {
          throw new SQLException("a fact of endpoint " + row.getLong(3) + ", which has no name");
        }
        long number = kept.standing.number;
        kept.standing = new Standing(number, kept.standing.id, row.getLong(6), row.getLong(7));
        read.position = row.getLong(1);
        long key = Key.of(read.position, row.getInt(2));
        read.add(kept, row.getString(4), key, row.getLong(8) == 0 ? 1 : row.getInt(5));
      }
    }
    return read;
  }

  private List<EndpointName> readNames(Connection connection) throws SQLException {
    List<EndpointName> names = new ArrayList<>();
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT number, id, d, ep FROM endpoint ORDER BY number");
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        endpoints = row.getLong(1);
        EndpointName name = new EndpointName(row.getString(4), row.getString(3));
        names.add(name);
        byName.put(name, new Kept(new Standing(endpoints, row.getString(2), 0, 0)));
      }
    }
    return names;
  }

  /** The last position that was handed out. */
  long position() {
    return position;
  }

  /** The number of the endpoint made last. */
  long endpoints() {
    return endpoints;
  }

  @Nullable Standing of(EndpointName name) {
    Kept kept = byName.get(name);
    if (kept == null) {
      return null;
    }
    synchronized (kept) {
      return kept.standing;
    }
  }

  Optional<Store.Endpoint> endpoint(EndpointName name) {
    Standing at = of(name);
    return at == null
        ? Optional.empty()
        : Optional.of(new Store.Endpoint(at.id, name, at.high, at.version));
  }

  /** The rows that a slot keeps, oldest first, emptied ones included. */
  long[] keys(EndpointName name, String slot) {
    Kept kept = byName.get(name);
    if (kept == null) {
      return new long[0];
    }
    synchronized (kept) {
      Slot found = kept.slot(slot);
      return found == null ? new long[0] : Arrays.copyOf(found.keys, found.size);
    }
  }

  /** A batch is on disk. */
  void landed(EndpointName name, Standing after, long at, List<Fact> facts) {
    position = at;
    endpoints = Math.max(endpoints, after.number);
    Kept kept = byName.computeIfAbsent(name, any -> new Kept(after));
    synchronized (kept) {
      kept.standing = after;
      if (facts.isEmpty()) {
        add(kept, Slots.NO_SLOT, Key.of(at, 0), 1);
      }
      for (int ord = 0; ord < facts.size(); ord++) {
        Fact fact = facts.get(ord);
        add(kept, fact.slot(), Key.of(at, ord), Slots.keep(fact));
      }
    }
  }

  private void add(Kept kept, String name, long key, int room) {
    Slot slot = kept.slot(name);
    if (slot == null) {
      slot = new Slot(slotNames.computeIfAbsent(name, same -> same));
      kept.slots = Arrays.copyOf(kept.slots, kept.slots.length + 1);
      kept.slots[kept.slots.length - 1] = slot;
    }
    synchronized (superseded) {
      slot.add(key, room, superseded);
    }
  }

  /**
   * Rows that nobody is to see any more, in the order of the file. The store's thread takes them
   * out, then says so.
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

  void swept() {
    synchronized (superseded) {
      superseded.clear();
    }
  }
}
