package dev.vigil.directory.catalogue;

import java.util.Arrays;

/**
 * The times at which entries have to be checked: a binary heap of (second, ordinal), 8 octets each.
 * A renewal does not move its element; the check at the old time adds a new element. If an entry
 * has several elements, only the one at {@link CatalogueEntry#due} is valid.
 */
final class LifetimeQueue {
  static final long NEVER = Long.MAX_VALUE;

  private static final int ORDINAL_BITS = 28;
  private static final long ORDINAL_MASK = (1L << ORDINAL_BITS) - 1;
  static final int MOST_ORDINALS = 1 << ORDINAL_BITS;

  private long[] heap = new long[64];
  private int size;

  void add(long second, int ordinal) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size + size / 2);
    }
    long key = second << ORDINAL_BITS | ordinal;
    int at = size++;
    while (at > 0 && heap[(at - 1) / 2] > key) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = key;
  }

  /** The earliest second, or {@link #NEVER}. */
  long earliest() {
    return size == 0 ? NEVER : heap[0] >>> ORDINAL_BITS;
  }

  /** Removes the earliest element, which must exist, and returns its ordinal. */
  int take() {
    int ordinal = (int) (heap[0] & ORDINAL_MASK);
    long key = heap[--size];
    int at = 0;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= key) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = key;
    return ordinal;
  }
}
