package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.EndpointStateIndex.Identity;
import dev.vigil.gateway.store.sqlite.memory.NewestRows;
import dev.vigil.gateway.store.sqlite.memory.RowKey;
import dev.vigil.gateway.store.sqlite.rows.SlotRetention;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One endpoint in memory: its state, and the rows of its slots. Guarded by itself. */
final class EndpointEntry {
  /** Up to this number, slots are searched linearly, which takes less memory than a map. */
  private static final int MAX_LISTED = 16;

  final Identity identity;
  long high;
  long version;

  /** See {@link EndpointStateIndex.State}. */
  byte[] hash = EndpointStateIndex.NO_HASH;

  /** The key of the newest row. */
  private long newest;

  /** The number of slots that are not cleared. */
  private int filled;

  private @Nullable Slot[] listed = new @Nullable Slot[0];

  /** All slots; null while they are few. */
  private @Nullable Map<String, Slot> mapped;

  EndpointEntry(Identity identity) {
    this.identity = identity;
  }

  /** The keys of the rows of one slot, oldest first. */
  private static final class Slot {
    final String name;
    long[] keys = new long[1];
    int size;

    /** Whether the newest fact emptied the slot. */
    boolean cleared = true;

    /** Whether the newest fact keeps older facts. */
    boolean older;

    Slot(String name) {
      this.name = name;
    }

    /** Makes room for a row and adds it. The caller handles the oldest rows, which leave. */
    void add(long key, int capacity, int leaving) {
      int excess = Math.min(leaving, size);
      size -= excess;
      long[] target =
          size < keys.length ? keys : new long[Math.min(2 * size, Math.max(capacity, 1))];
      System.arraycopy(keys, excess, target, 0, size);
      target[size++] = key;
      keys = target;
    }

    /** Whether the newest row is older than a key. */
    boolean isBefore(long key) {
      return size > 0 && keys[size - 1] < key;
    }

    LongStream rows() {
      return Arrays.stream(keys, 0, size);
    }
  }

  private @Nullable Slot slot(String name) {
    Map<String, Slot> map = mapped;
    if (map != null) {
      return map.get(name);
    }
    for (Slot slot : listed) {
      if (slot != null && slot.name.equals(name)) {
        return slot;
      }
    }
    return null;
  }

  private Slot newSlot(String name) {
    Slot slot = new Slot(name);
    Map<String, Slot> map = mapped;
    if (map == null && listed.length == MAX_LISTED) {
      map = new HashMap<>();
      for (Slot each : listed) {
        if (each != null) {
          map.put(each.name, each);
        }
      }
      mapped = map;
      listed = new @Nullable Slot[0];
    }
    if (map == null) {
      listed = Arrays.copyOf(listed, listed.length + 1);
      listed[listed.length - 1] = slot;
    } else {
      map.put(name, slot);
    }
    return slot;
  }

  boolean has(String slot) {
    return slot(slot) != null;
  }

  /**
   * Adds a row to a slot.
   *
   * @param name the shared instance of the slot's name
   * @param keep as in the column of that name
   * @param turn the first key of the present turn: a slot's first row of a turn moves older rows
   * @param superseded receives the rows that the slot drops
   */
  void add(String name, long key, int keep, boolean clears, long turn, SupersededRows superseded) {
    Slot known = slot(name);
    Slot slot = known == null ? newSlot(name) : known;
    int capacity = Math.abs(keep);
    boolean older = keep < 0;
    int leaving =
        older
            ? SlotRetention.leaving(slot.size + 1, capacity, slot.isBefore(turn))
            : Math.max(0, slot.size + 1 - capacity);
    if (slot.older && !older) {
      superseded.dropOlder(this, slot.name);
    }
    slot.older = older;
    int dropped = Math.min(leaving, slot.size);
    if (older && dropped > 0) {
      superseded.addOlder(this, slot.name, Arrays.copyOf(slot.keys, dropped));
    } else {
      for (int i = 0; i < dropped; i++) {
        superseded.add(slot.keys[i]);
      }
    }
    if (slot.cleared != clears) {
      filled += clears ? -1 : 1;
    }
    slot.cleared = clears;
    slot.add(key, capacity, leaving);
    newest = Math.max(newest, key);
  }

  /** Whether the endpoint never had a sequence number and all its slots are empty. */
  boolean isEmptied() {
    return high == 0 && filled == 0;
  }

  /** Whether the newest fact of a slot keeps older facts. */
  boolean keepsOlder(String slot) {
    Slot found = slot(slot);
    return found != null && found.older;
  }

  /** The keys of the rows that a slot keeps, oldest first, including rows with an empty body. */
  long[] keys(String slot) {
    Slot found = slot(slot);
    return found == null ? new long[0] : found.rows().toArray();
  }

  private Stream<Slot> slots() {
    Map<String, Slot> map = mapped;
    return map == null
        ? Arrays.stream(listed).filter(Objects::nonNull).map(Objects::requireNonNull)
        : map.values().stream();
  }

  /** The keys of all rows after a position, ascending. */
  long[] keysAfter(long position) {
    return slots()
        .flatMapToLong(Slot::rows)
        .filter(key -> RowKey.position(key) > position)
        .sorted()
        .toArray();
  }

  void addTo(NewestRows rows) {
    slots().forEach(slot -> rows.add(slot.keys[slot.size - 1], slot.size));
  }

  /** Whether the newest row of a slot has the given key and cleared the slot. */
  boolean isClearedBy(String name, long key) {
    Slot slot = slot(name);
    return slot != null && slot.cleared && slot.keys[0] == key;
  }

  /** The position of the newest change. */
  long position() {
    return RowKey.position(newest);
  }

  /** Whether the row holds the endpoint's present H and version and therefore must stay. */
  boolean isNewest(long key) {
    return newest == key;
  }

  /** Removes a cleared slot. */
  void removeCleared(String name) {
    Map<String, Slot> map = mapped;
    if (map != null) {
      map.remove(name);
    } else {
      listed =
          Arrays.stream(listed)
              .filter(slot -> slot != null && !slot.name.equals(name))
              .toArray(Slot[]::new);
    }
  }
}
