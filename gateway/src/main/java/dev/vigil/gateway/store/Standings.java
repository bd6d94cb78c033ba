package dev.vigil.gateway.store;

import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Store;
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
 * Where every endpoint stands and which rows its slots keep, by what is on disk: the store's thread
 * decides on it and moves it on after each commit, everybody may read it.
 */
final class Standings {
  /** Rows of one change that a {@link Key} can tell apart. */
  static final int MAX_FACTS = 1 << Key.ORD_BITS;

  private final Map<EndpointName, Kept> byName = new ConcurrentHashMap<>();

  /**
   * In the order of their numbers; the store's thread adds, and writes the field anew each time.
   */
  private volatile @Nullable Named[] byNumber = new @Nullable Named[64];

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

  /** What never changes of an endpoint; the same object for everybody who asks. */
  record Named(long number, String id, EndpointName name) {}

  /** An endpoint at one time. */
  record Standing(Named named, long high, long version) {}

  /** Guarded by itself. */
  private static final class Kept {
    final Named named;
    long high;
    long version;
    @Nullable Slot[] slots = new @Nullable Slot[0];

    Kept(Named named) {
      this.named = named;
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
    List<Kept> endpoints = read.readNames(connection);
    Texts slots = new Texts();
    try (PreparedStatement statement =
            connection.prepareStatement(
                """
                SELECT position << %d | ord, endpoint, slot,
                  CASE length(body) WHEN 0 THEN 1 ELSE keep END, high, version
                FROM fact ORDER BY position, ord
                """
                    .formatted(Key.ORD_BITS));
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        long key = row.getLong(1);
        int number = row.getInt(2);
        if (number < 1 || number > endpoints.size()) {
          throw new SQLException("a fact of endpoint " + number + ", which has no name");
        }
        Kept kept = endpoints.get(number - 1);
        read.add(kept, slots.of(row.getBytes(3)), key, row.getInt(4));
        kept.high = row.getLong(5);
        kept.version = row.getLong(6);
        read.position = Key.position(key);
      }
    }
    return read;
  }

  private List<Kept> readNames(Connection connection) throws SQLException {
    List<Kept> read = new ArrayList<>();
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT number, id, d, ep FROM endpoint ORDER BY number");
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        endpoints = row.getLong(1);
        EndpointName name = new EndpointName(text(row, 4), text(row, 3));
        Kept kept = new Kept(new Named(endpoints, text(row, 2), name));
        read.add(kept);
        byName.put(name, kept);
        name(kept.named);
      }
    }
    return read;
  }

  /** The driver takes several times as long for a string as for its octets. */
  private static String text(ResultSet row, int column) throws SQLException {
    return new String(row.getBytes(column), StandardCharsets.UTF_8);
  }

  /**
   * Tells of an endpoint before its first row is committed: whoever reads a row finds its name. A
   * number whose transaction failed is named again.
   */
  void name(Named named) {
    @Nullable Named[] all = byNumber;
    int at = Math.toIntExact(named.number) - 1;
    if (at >= all.length) {
      all = Arrays.copyOf(all, 2 * all.length);
    }
    all[at] = named;
    byNumber = all;
  }

  Named named(int number) throws SQLException {
    @Nullable Named[] all = byNumber;
    Named named = number < 1 || number > all.length ? null : all[number - 1];
    if (named == null) {
      throw new SQLException("a fact of endpoint " + number + ", which has no name");
    }
    return named;
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
      return new Standing(kept.named, kept.high, kept.version);
    }
  }

  Optional<Store.Endpoint> endpoint(EndpointName name) {
    Standing at = of(name);
    return at == null
        ? Optional.empty()
        : Optional.of(new Store.Endpoint(at.named.id, name, at.high, at.version));
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
    endpoints = Math.max(endpoints, after.named.number);
    Kept kept = byName.computeIfAbsent(name, any -> new Kept(after.named));
    synchronized (kept) {
      kept.high = after.high;
      kept.version = after.version;
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
