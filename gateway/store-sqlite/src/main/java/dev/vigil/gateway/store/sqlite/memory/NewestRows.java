package dev.vigil.gateway.store.sqlite.memory;

import java.util.Arrays;

/** The newest row of each slot up to a position, and the number of all rows. */
public final class NewestRows {
  /** The time to seek a row, as a multiple of the time to read a row in order. */
  private static final int SEEK = 4;

  private final long last;
  private long[] keys = new long[1024];
  private int size;
  private long rows;

  /**
   * @param upTo later rows do not count
   */
  public NewestRows(long upTo) {
    this.last = RowKey.of(upTo + 1, 0) - 1;
  }

  /** Adds a slot with a number of rows. */
  public void add(long newest, int slotRows) {
    rows += slotRows;
    if (newest <= last) {
      if (size == keys.length) {
        keys = Arrays.copyOf(keys, 2 * size);
      }
      keys[size++] = newest;
    }
  }

  /** Whether seeking these rows is faster than reading all. */
  public boolean areFew() {
    return (long) SEEK * size < rows;
  }

  /** The keys, ascending. */
  public long[] keys() {
    long[] sorted = Arrays.copyOf(keys, size);
    Arrays.sort(sorted);
    return sorted;
  }
}
