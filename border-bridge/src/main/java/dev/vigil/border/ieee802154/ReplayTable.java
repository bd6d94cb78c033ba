package dev.vigil.border.ieee802154;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The highest accepted frame counter of each sender and key. Only frames with a valid MIC create
 * entries, so nodes without a key cannot fill the table. A node with a key can fill it, up to its
 * limit, with invented sender addresses.
 *
 * <p>The caller makes the counters durable. It must store the counters from {@link #takeChanged}
 * before the content of their frames leaves the bridge, and pass them to {@link #restore} after a
 * restart.
 */
public final class ReplayTable {
  /** A value below every frame counter. */
  public static final long NONE = -1;

  private final int maxEntries;
  private final long unknown;
  private final Map<Entry, Long> highest = new HashMap<>();
  private final Set<Entry> changed = new LinkedHashSet<>();

  /** The key of the table: a sender and its link key. */
  public record Entry(Eui64 sender, KeyId key) {}

  /** A counter to store. */
  public record Counter(Entry entry, long highest) {}

  /** A table that accepts any counter of a sender without an entry. */
  public ReplayTable(int maxEntries) {
    this(maxEntries, NONE);
  }

  /**
   * @param unknown the highest counter that a sender without an entry may have used
   */
  public ReplayTable(int maxEntries, long unknown) {
    this.maxEntries = maxEntries;
    this.unknown = unknown;
  }

  /** Restores a stored counter; never lowers one. */
  public void restore(Counter stored) {
    if (stored.highest() > NONE || !acceptsUnknown()) {
      highest.merge(stored.entry(), stored.highest(), Math::max);
    }
  }

  /** Refuses a counter that is not above the highest accepted one. Changes nothing. */
  public void check(Entry entry, long counter) throws WireException {
    if (counter >= SecurityHeader.LAST_COUNTER) {
      throw new WireException(Drop.FRAME_COUNTER_EXHAUSTED);
    }
    Long seen = highest.get(entry);
    if (counter <= (seen == null ? unknown : seen)) {
      throw new WireException(Drop.FRAME_COUNTER_REPLAYED);
    }
    if (seen == null && highest.size() >= maxEntries) {
      throw new WireException(Drop.SECURITY_SOURCE_UNKNOWN, "replay table full");
    }
  }

  /** Sets the counter. May be called only after {@link #check} and a valid MIC. */
  public void commit(Entry entry, long counter) {
    highest.put(entry, counter);
    changed.add(entry);
  }

  /** Whether the table has a counter of a sender, under any key. */
  public boolean knows(Eui64 sender) {
    return highest.keySet().stream().anyMatch(entry -> entry.sender().equals(sender));
  }

  /** Whether a sender without an entry may use any counter. */
  public boolean acceptsUnknown() {
    return unknown == NONE;
  }

  /**
   * Accepts any counter in the next frame of a sender. The caller makes {@link #NONE} durable for
   * the sender.
   */
  public void forgive(Entry entry) {
    changed.remove(entry);
    highest.remove(entry);
    restore(new Counter(entry, NONE));
  }

  /** The counters that have changed since the last call. */
  public List<Counter> takeChanged() {
    List<Counter> counters = new ArrayList<>(changed.size());
    for (Entry entry : changed) {
      Long counter = highest.get(entry);
      if (counter != null) {
        counters.add(new Counter(entry, counter));
      }
    }
    changed.clear();
    return counters;
  }
}
