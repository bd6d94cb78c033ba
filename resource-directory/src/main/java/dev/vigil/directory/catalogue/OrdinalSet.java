package dev.vigil.directory.catalogue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A mutable ordered set of small non-negative numbers. A few numbers are stored as a sorted array.
 * Many numbers are stored in chunks of 65536, each a sorted array or a bit set. A value shared by
 * two endpoints and a value shared by a million thus both cost little (the layout of Roaring
 * bitmaps, Chambi et al. 2016).
 */
final class OrdinalSet {
  static final int NONE = Integer.MAX_VALUE;

  private static final int FEW = 32;
  private static final int CHUNK_BITS = 16;
  private static final int CHUNK_MASK = (1 << CHUNK_BITS) - 1;

  private int size;
  private int @Nullable [] few = new int[2];
  private @Nullable Chunk[] chunks = new @Nullable Chunk[0];

  int size() {
    return size;
  }

  boolean contains(int ordinal) {
    if (few != null) {
      return Arrays.binarySearch(few, 0, size, ordinal) >= 0;
    }
    Chunk chunk = chunk(ordinal >>> CHUNK_BITS);
    return chunk != null && chunk.contains(ordinal & CHUNK_MASK);
  }

  /** The smallest member that is not below a number, or {@link #NONE}. */
  int nextFrom(int from) {
    if (few != null) {
      int found = Arrays.binarySearch(few, 0, size, from);
      int at = found >= 0 ? found : -found - 1;
      return at < size ? few[at] : NONE;
    }
    int low = from & CHUNK_MASK;
    for (int high = from >>> CHUNK_BITS; high < chunks.length; high++, low = 0) {
      Chunk chunk = chunks[high];
      int next = chunk == null ? -1 : chunk.nextFrom(low);
      if (next >= 0) {
        return high << CHUNK_BITS | next;
      }
    }
    return NONE;
  }

  void add(int ordinal) {
    if (few != null) {
      if (size < FEW) {
        addToFew(few, ordinal);
        return;
      }
      int[] all = few;
      few = null;
      size = 0;
      for (int member : all) {
        addToChunk(member);
      }
    }
    addToChunk(ordinal);
  }

  private void addToFew(int[] members, int ordinal) {
    int found = Arrays.binarySearch(members, 0, size, ordinal);
    if (found >= 0) {
      return;
    }
    int[] grown = size < members.length ? members : Arrays.copyOf(members, Math.min(FEW, 2 * size));
    int at = -found - 1;
    System.arraycopy(grown, at, grown, at + 1, size - at);
    grown[at] = ordinal;
    few = grown;
    size++;
  }

  private void addToChunk(int ordinal) {
    int high = ordinal >>> CHUNK_BITS;
    if (high >= chunks.length) {
      chunks = Arrays.copyOf(chunks, high + 1);
    }
    Chunk chunk = chunks[high];
    if (chunk == null) {
      chunk = new Chunk();
      chunks[high] = chunk;
    }
    if (chunk.add(ordinal & CHUNK_MASK)) {
      size++;
    }
  }

  void remove(int ordinal) {
    if (few != null) {
      int at = Arrays.binarySearch(few, 0, size, ordinal);
      if (at >= 0) {
        System.arraycopy(few, at + 1, few, at, size - at - 1);
        size--;
      }
      return;
    }
    int high = ordinal >>> CHUNK_BITS;
    Chunk chunk = chunk(high);
    if (chunk != null && chunk.remove(ordinal & CHUNK_MASK)) {
      size--;
      if (chunk.count == 0) {
        chunks[high] = null;
      }
    }
  }

  private @Nullable Chunk chunk(int high) {
    return high < chunks.length ? chunks[high] : null;
  }

  /** Numbers below 65536. */
  private static final class Chunk {
    /** Number of members above which a bit set of 8 KiB is smaller. */
    private static final int SPARSE = 4096;

    int count;
    private char[] members = new char[FEW];
    private long @Nullable [] bits;

    boolean contains(int low) {
      return bits != null
          ? (bits[low >>> 6] >>> low & 1) != 0
          : Arrays.binarySearch(members, 0, count, (char) low) >= 0;
    }

    /**
     * @return -1 if there is none
     */
    int nextFrom(int low) {
      if (bits == null) {
        int found = Arrays.binarySearch(members, 0, count, (char) low);
        int at = found >= 0 ? found : -found - 1;
        return at < count ? members[at] : -1;
      }
      long word = bits[low >>> 6] & -1L << low;
      int at = low >>> 6;
      while (word == 0) {
        if (++at == bits.length) {
          return -1;
        }
        word = bits[at];
      }
      return at << 6 | Long.numberOfTrailingZeros(word);
    }

    boolean add(int low) {
      if (contains(low)) {
        return false;
      }
      if (bits == null && count == SPARSE) {
        becomeDense();
      }
      if (bits != null) {
        bits[low >>> 6] |= 1L << low;
      } else {
        if (count == members.length) {
          members = Arrays.copyOf(members, Math.min(SPARSE, count + count / 2));
        }
        int at = -Arrays.binarySearch(members, 0, count, (char) low) - 1;
        System.arraycopy(members, at, members, at + 1, count - at);
        members[at] = (char) low;
      }
      count++;
      return true;
    }

    private void becomeDense() {
      long[] dense = new long[(CHUNK_MASK + 1) / Long.SIZE];
      for (int i = 0; i < count; i++) {
        dense[members[i] >>> 6] |= 1L << members[i];
      }
      bits = dense;
      members = new char[0];
    }

    boolean remove(int low) {
      if (!contains(low)) {
        return false;
      }
      count--;
      if (bits != null) {
        bits[low >>> 6] &= ~(1L << low);
      } else {
        int at = Arrays.binarySearch(members, 0, count + 1, (char) low);
        System.arraycopy(members, at + 1, members, at, count - at);
      }
      return true;
    }
  }
}
