package dev.vigil.border.ipsec;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.Arrays;

/**
 * Which sequence numbers have been taken (RFC 4303, section 3.4.3): peeked at before the ICV is
 * checked, moved after. Its top is to be stored before a packet is delivered; after a restart
 * everything up to the stored top counts as taken.
 */
public final class ReplayWindow {
  private static final long LAST = 0xffff_ffffL;

  private final int size;
  private final long[] taken;
  private long top;

  /**
   * @param size how far behind the top a number may come, 1 to 4096
   * @param storedTop the top as stored, 0 if nothing was ever received
   */
  public ReplayWindow(int size, long storedTop) {
    if (size < 1 || size > 4096 || storedTop < 0 || storedTop > LAST) {
      throw new IllegalArgumentException("a window has 1 to 4096 places, a number 32 bits");
    }
    this.size = size;
    this.taken = new long[(size + Long.SIZE - 1) / Long.SIZE];
    this.top = storedTop;
    Arrays.fill(taken, -1L);
  }

  /** The highest number taken. */
  public long top() {
    return top;
  }

  /** Refuses a number that was taken or is too old. Changes nothing. */
  public void check(long sequence) throws WireException {
    boolean old = sequence + size <= top;
    if (sequence == 0 || old || sequence <= top && isTaken(sequence)) {
      throw new WireException(Drop.SEQUENCE_REPLAYED);
    }
  }

  /** Takes a number; only after {@link #check} and a valid ICV. */
  public void commit(long sequence) {
    long steps = sequence - top;
    for (long i = 1; i <= Math.min(steps, size); i++) {
      set(top + i, false);
    }
    top = Math.max(top, sequence);
    set(sequence, true);
  }

  private boolean isTaken(long sequence) {
    int place = (int) (sequence % size);
    return (taken[place / Long.SIZE] >>> place % Long.SIZE & 1) != 0;
  }

  private void set(long sequence, boolean value) {
    int place = (int) (sequence % size);
    long bit = 1L << place % Long.SIZE;
    if (value) {
      taken[place / Long.SIZE] |= bit;
    } else {
      taken[place / Long.SIZE] &= ~bit;
    }
  }
}
